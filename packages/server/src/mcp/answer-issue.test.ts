import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { type ConnectedMcp, connectMcp } from "@whytrace/testing/server/mcp-client.ts";
import { sql } from "kysely";
import { beforeAll, expect, it, vi } from "vitest";
import { MAX_ANSWER_CHARACTERS } from "./answer.ts";

const { client, db } = await boot({}, { pausesMs: { issues: 50, likely: 100 } });
const AGENTS = [..."abcdefghijkl"].map((letter) => `agent-${letter}`);
const RUNS = 80;
let user: Sender;
let issues: Issue[];
let mcp: ConnectedMcp;

/** Every second run refunds at once, and 3 of 4 of those fail; those that ask a person go well. */
function runOf(agent: string, index: number) {
  const isRefunded = index % 2 === 0;
  const isBad = isRefunded && index % 8 !== 0;
  const at = (ms: number) => new Date(Date.now() - (RUNS - index) * 60_000 - 30_000 + ms).toISOString();
  const options = ["refund_api", "ask_human"];
  const [chosen, other] = isRefunded ? options : options.toReversed();
  return trace({
    name: agent,
    status: isBad ? "ERROR" : "COMPLETED",
    startedAt: at(0),
    endedAt: at(500),
    tags: ["release:2.3"],
    decisionPoints: [
      decision({
        timestamp: at(10),
        chosen: { tool: chosen },
        alternatives: [{ tool: other }],
        reasoning: `the policy of ${agent} allows it`,
        contextSnapshot: { policy: isBad ? "old" : "new" },
        parentSpanId: "plan",
      }),
    ],
    spans: [
      span({
        id: "plan",
        name: "plan",
        startedAt: at(0),
        endedAt: at(450),
        metadata: {
          "code.function.name": "chooseRefund",
          langfuse: { observation: { prompt: { name: "refund-policy", version: 4 } } },
        },
      }),
      span({
        parentSpanId: "plan",
        name: "refund_api call",
        type: "TOOL_CALL",
        startedAt: at(20),
        endedAt: at(400),
        status: isBad ? "ERROR" : "COMPLETED",
        ...(isBad && { statusMessage: `policy of ${agent} outdated` }),
        input: { order: "x".repeat(3_000) },
        output: { refused: true },
        metadata: { "code.file.path": "src/refund.ts", code: { line: { number: 41 } } },
      }),
    ],
  });
}

beforeAll(async () => {
  user = await newSender(client, db);
  for (const agent of AGENTS)
    expectStatus(await user.send(Array.from({ length: RUNS }, (_, index) => runOf(agent, index))), 200);
  issues = await vi.waitFor(
    async () => {
      const list = expectStatus(await user.get("/api/issues?limit=100"), 200).json;
      expect(list.issues.filter(({ likely }: Issue) => likely !== null)).toHaveLength(AGENTS.length);
      return list.issues;
    },
    { timeout: 90_000, interval: 200 },
  );
  mcp = await connectMcp(user, "review");
}, 120_000);

it("one call of get_issue has all that a coding agent needs, for each of 12 issues", async () => {
  const prefix = await prefixOf(db, user);
  for (const { number, title, agent, newestTraceId, likely } of issues) {
    expectStatus(await user.post(`/api/issues/${number}/comments`, { text: "the cache again" }), 201);
    // Much happened since the comment.
    await sql`
      insert into issue_timeline (workspace_id, number, id, kind, details)
      select ${user.workspaceId}::uuid, ${number}, gen_random_uuid(), 'acknowledged', '{}'::jsonb
      from generate_series(1, 120)`.execute(db);
    const { text, words, data, isError } = await mcp.call("get_issue", { issue: number });
    expect(isError).toBe(false);
    expect(text.length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
    const all = Object.assign({}, ...data);
    expect(data[0]).toMatchObject({
      issue: number,
      title,
      state: "ongoing",
      agent,
      runs: 30,
      share: { of: RUNS },
      releases: [{ release: "2.3", runs: 30 }],
    });
    expect(likely).toMatchObject({ option: "refund_api", alternative: "ask_human" });
    expect(data[0].page).toMatch(new RegExp(`^http://[^/]+${prefix}/issues/${number}$`));
    expect(all.likely).toMatchObject({
      chose: "refund_api",
      alternative: "ask_human",
      badAfterIt: { failed: expect.any(Number), decisions: expect.any(Number) },
      badRateOfOthers: expect.any(Number),
      clue: expect.objectContaining({ key: "policy" }),
      reasoning: `the policy of ${agent} allows it`,
      code: {
        "code.function.name": "chooseRefund",
        "langfuse.observation.prompt.name": "refund-policy",
        "langfuse.observation.prompt.version": 4,
      },
    });
    expect(all.failedSpan).toMatchObject({
      traceId: newestTraceId,
      name: "refund_api call",
      type: "TOOL_CALL",
      message: `policy of ${agent} outdated`,
      input: expect.stringMatching(/^\{"order":"x{1980,}… \(\d+ more characters\)$/),
      output: '{"refused":true}',
      code: { "code.file.path": "src/refund.ts", "code.line.number": 41 },
    });
    expect(all.nearestGoodRun.traceId).toEqual(expect.any(String));
    expect(all.firstDifference.a.chose).toBe("refund_api");
    expect(all.firstDifference.b.chose).toBe("ask_human");
    expect(all.comments).toMatchObject([{ text: "the cache again", by: "Ada" }]);
    expect(all.examples).toEqual({
      newest: newestTraceId,
      shortest: expect.any(String),
      cheapest: expect.any(String),
    });
    for (const id of Object.values(all.examples))
      expect((await user.get(`/api/traces/${id}`)).json).toMatchObject({ name: agent, status: "ERROR" });
    expect(all.next).toEqual({
      why: { traceId: newestTraceId },
      get_trace: { traceId: newestTraceId },
      compare_traces: { a: newestTraceId, b: all.nearestGoodRun.traceId },
    });
    expect(words).toContain("Resolve in the next release");
    expect(words).not.toContain(agent);
  }
});

it("list_issues names issues with their likely decision, resolve_issue needs a key that may, and unknown numbers are said", async () => {
  const { data, words } = await mcp.call("list_issues", { agent: "agent-c" });
  expect(words).toMatch(/^1 issues match; these are 1 to 1\. By state: 0 regressed/);
  expect(data).toMatchObject([{ agent: "agent-c", runs: 30, likely: { chose: "refund_api" } }]);
  const { issue } = data[0];
  const reader = await connectMcp(user, "read");
  const tools = (await reader.client.listTools()).tools.map(({ name }) => name);
  expect(tools).toContain("get_issue");
  expect(tools).not.toContain("resolve_issue");
  expect((await reader.call("resolve_issue", { issue })).isError).toBe(true);
  const resolved = await mcp.call("resolve_issue", { issue, in: "next", note: "prompt fixed" });
  expect([resolved.isError, resolved.data]).toEqual([
    false,
    [{ issue, in: "next", release: null, note: "prompt fixed" }],
  ]);
  expect((await user.get(`/api/issues/${issue}`)).json).toMatchObject({
    state: "resolved",
    resolution: { in: "next", note: "prompt fixed" },
  });
  const missing = await mcp.call("get_issue", { issue: 987_654 });
  expect([missing.isError, missing.text]).toEqual([
    true,
    expect.stringMatching(/^Issue not found\. .*list_issues/),
  ]);
});

it("the prompt names tool and number, and contains no text of a run and no character that a shell reads", async () => {
  const [issue] = issues;
  const response = await user.get(`/api/issues/${issue?.number}/prompt`);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(response.text).toContain(`get_issue of the MCP server whytrace with issue ${issue?.number}.`);
  expect(response.text).toMatch(/^[A-Za-z0-9 .,:_\n-]+$/);
  expect(response.text).not.toMatch(/policy|agent-|refund/);
  expect((await user.get("/api/issues/987654/prompt")).status).toBe(404);
});
