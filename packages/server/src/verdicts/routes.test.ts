import type { Verdict } from "@whytrace/contract";
import type { SavedVerdict, VerdictList } from "@whytrace/contract/schemas/verdicts";
import { addMember } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { agentHash } from "../decision-facts/agent-hash.ts";
import { MAX_VERDICTS_PER_WORKSPACE } from "../trace-store/save-verdict.ts";
import { blameRecord } from "./blame-record.ts";

const { client, db } = await boot();

type Fields = Record<string, unknown>;
const PATH = "/api/insights/verdicts";
const newUser = () => newSender(client, db);
/** A stored trace with one decision, and the fields that identify it. */
async function newDecision(user: Sender, fields: Fields = {}, traceFields: Fields = {}) {
  const decided = decision(fields);
  const sent = trace({ decisionPoints: [decided], ...traceFields });
  expectStatus(await user.send([sent]), 200);
  return { sent, ids: { traceId: sent.id, decisionPointId: decided.id } };
}
const judge = async (user: Sender, body: object): Promise<SavedVerdict> =>
  expectStatus(await user.put(PATH, body), 200).json;
const list = async (user: Sender, query = ""): Promise<VerdictList> =>
  expectStatus(await user.get(`${PATH}?${query}`), 200).json;
const deletePath = ({ traceId, decisionPointId }: Pick<Verdict, "traceId" | "decisionPointId">) =>
  `${PATH}/${encodeURIComponent(traceId)}/${encodeURIComponent(decisionPointId)}`;

describe("a verdict", () => {
  it("is saved at once, replaced by a later one, and taken back", async () => {
    const user = await newUser();
    const { ids } = await newDecision(user);
    const right = await judge(user, { ...ids, verdict: "right", suspectRank: 1 });
    expect(right).toEqual({
      ...ids,
      verdict: "right",
      shouldHaveBeen: null,
      note: null,
      suspectRank: 1,
      createdAt: expect.any(String),
      createdBy: { id: user.userId, name: "Ada" },
    });
    const wrong = await judge(user, {
      ...ids,
      verdict: "wrong",
      shouldHaveBeen: " cache ",
      note: "  stale\n",
    });
    expect(wrong).toMatchObject({ verdict: "wrong", shouldHaveBeen: "cache", note: "stale", suspectRank: 1 });
    expect((await list(user)).verdicts).toMatchObject([wrong]);
    expectStatus(await user.delete(deletePath(ids)), 200);
    expect(await list(user)).toEqual({ verdicts: [], total: 0, page: 1, limit: 20, totalPages: 0 });
    expectStatus(await user.delete(deletePath(ids)), 404);
  });

  it("says who gave it last; nobody if a key did", async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const prefix = await addMember(db, owner, member, "member");
    const { ids } = await newDecision(owner);
    const by = async () => (await list(owner)).verdicts[0]?.createdBy;
    await judge(owner, { ...ids, verdict: "right" });
    expect(await by()).toEqual({ id: owner.userId, name: "Ada" });
    const changed = expectStatus(await member.put(prefix + PATH, { ...ids, verdict: "wrong" }), 200).json;
    expect(changed.createdBy).toEqual({ id: member.userId, name: "Ada" });
    // A person who left the workspace is still named.
    expectStatus(await member.delete(`${prefix}/api/members/${member.userId}`), 200);
    expect(await by()).toEqual({ id: member.userId, name: "Ada" });
    const { key } = expectStatus(await owner.post("/api/keys", { name: "k", scope: "review" }), 201).json;
    const headers = { authorization: `Bearer ${key}` };
    const body = { ...ids, verdict: "right" };
    expectStatus(await new Client(client.url).request("PUT", PATH, { body, headers }), 200);
    expect(await by()).toBe(null);
  });

  it("stays as it is if the same one is sent again", async () => {
    const user = await newUser();
    const { ids } = await newDecision(user);
    const body = { ...ids, verdict: "wrong", note: "once" };
    const first = await judge(user, body);
    expect(await judge(user, body)).toEqual(first);
    expect((await judge(user, { ...body, note: "twice" })).createdAt > first.createdAt).toBe(true);
  });

  it("can be given only on the user's own decisions; an unknown and a foreign one look alike", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { ids } = await newDecision(user);
    await judge(user, { ...ids, verdict: "right" });
    const foreign = await other.put(PATH, { ...ids, verdict: "wrong" });
    const unknown = await other.put(PATH, { ...ids, traceId: "none", verdict: "wrong" });
    expect([foreign.status, foreign.text]).toEqual([404, '{"error":"Decision point not found"}']);
    expect(unknown.text).toBe(foreign.text);
    expectStatus(await other.delete(deletePath(ids)), 404);
    expect((await list(other, `traceId=${ids.traceId}`)).total).toBe(0);
    expect((await other.get(`${PATH}/export`)).text).toBe("");
    expect((await list(user)).verdicts).toMatchObject([{ verdict: "right" }]);
  });

  it.each([
    [{ verdict: "perhaps" }, "verdict: must be one of: right, wrong"],
    [
      { verdict: "right", shouldHaveBeen: "cache" },
      "shouldHaveBeen: is allowed only together with the verdict wrong",
    ],
    [{ verdict: "wrong", shouldHaveBeen: " " }, "shouldHaveBeen: must not be empty"],
    [
      { verdict: "wrong", shouldHaveBeen: "x".repeat(201) },
      "shouldHaveBeen: must have at most 200 characters",
    ],
    [{ verdict: "wrong", note: "x".repeat(2_001) }, "note: must have at most 2000 characters"],
    [{ verdict: "wrong", note: "a\0b" }, "note: must not contain control characters other than line breaks"],
    [{ verdict: "wrong", suspectRank: 0 }, "suspectRank"],
  ])("with %j is refused with an error that names the field", async (fields, text) => {
    const user = await newUser();
    const { ids } = await newDecision(user);
    expect(expectStatus(await user.put(PATH, { ...ids, ...fields }), 400).json.error).toContain(text);
    expect((await list(user)).total).toBe(0);
  });

  it("is refused if the request comes from another site", async () => {
    const user = await newUser();
    const { ids } = await newDecision(user);
    for (const [method, path, body] of [
      ["PUT", PATH, { ...ids, verdict: "right" }],
      ["DELETE", deletePath(ids), undefined],
    ] as const) {
      const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      expectStatus(await user.request(method, path, { headers, ...(body && { body }) }), 403);
    }
    expect((await list(user)).total).toBe(0);
  });

  it("disappears with its trace, also if both are written at the same time", async () => {
    const user = await newUser();
    for (let round = 0; round < 10; round += 1) {
      const { ids } = await newDecision(user);
      const [saved] = await Promise.all([
        user.put(PATH, { ...ids, verdict: "right" }),
        user.delete(`/api/traces/${ids.traceId}`),
      ]);
      expect([200, 404]).toContain(saved.status);
    }
    const { rows } = await sql`select * from verdicts where workspace_id = ${user.workspaceId}`.execute(db);
    expect(rows).toEqual([]);
  });

  it("stays when the trace is sent again with its decision, and is gone without it", async () => {
    const user = await newUser();
    const { sent, ids } = await newDecision(user);
    await judge(user, { ...ids, verdict: "right" });
    await user.send([{ ...sent, name: "renamed" }]);
    expect((await list(user)).verdicts).toMatchObject([{ ...ids, agent: "renamed" }]);
    await user.send([{ ...sent, decisionPoints: [decision()] }]);
    expect((await list(user)).total).toBe(0);
    expect((await user.get(`${PATH}/export`)).text).toBe("");
  });

  it("is the last one at the limit, which does not count changes of earlier ones", async () => {
    const user = await newUser();
    const [first, last, refused] = [
      await newDecision(user),
      await newDecision(user),
      await newDecision(user),
    ];
    await judge(user, { ...first.ids, verdict: "right" });
    await sql`
      insert into verdicts (workspace_id, trace_id, decision_point_id, verdict, agent_hash, signature, step)
      select ${user.workspaceId}, 'filler', n::text, 'right', 1, 1, 1 from generate_series(1, ${MAX_VERDICTS_PER_WORKSPACE - 2}) as n`.execute(
      db,
    );
    await judge(user, { ...last.ids, verdict: "right" });
    const { json } = expectStatus(await user.put(PATH, { ...refused.ids, verdict: "right" }), 409);
    expect(json.error).toBe("Verdict limit reached (100000). Export your verdicts, then undo some.");
    await judge(user, { ...first.ids, verdict: "wrong" });
  });
});

describe("GET /api/insights/verdicts", () => {
  it("returns the decision, its signature and the agent, newest first, and filters by each", async () => {
    const user = await newUser();
    const one = await newDecision(user, { chosen: "search" }, { name: "support 4711" });
    const same = await newDecision(
      user,
      { chosen: { tool: "cache" }, alternatives: ["search"] },
      { name: "b" },
    );
    const other = await newDecision(
      user,
      { type: "RETRY", chosen: "again", alternatives: [] },
      { name: "b" },
    );
    for (const { ids } of [one, same, other]) await judge(user, { ...ids, verdict: "right" });
    const { verdicts, total } = await list(user);
    expect(total).toBe(3);
    expect(verdicts.map(({ traceId }) => traceId)).toEqual([other.sent.id, same.sent.id, one.sent.id]);
    expect(verdicts.map(({ type, option, agent }) => [type, option, agent])).toEqual([
      ["RETRY", "again", "b"],
      ["TOOL_SELECTION", "cache", "b"],
      ["TOOL_SELECTION", "search", "support #"],
    ]);
    const [, second, third] = verdicts;
    expect(second?.signature).toBe(third?.signature);
    expect(second?.step).not.toBe(third?.step);
    const ids = async (query: string) => (await list(user, query)).verdicts.map(({ traceId }) => traceId);
    expect(await ids(`signature=${third?.signature}`)).toEqual([same.sent.id, one.sent.id]);
    expect(await ids("agent=b")).toEqual([other.sent.id, same.sent.id]);
    expect(await ids("agent=support%2012345")).toEqual([one.sent.id]);
    expect(await ids(`traceId=${one.sent.id}`)).toEqual([one.sent.id]);
    expect(await ids("limit=1&page=2")).toEqual([same.sent.id]);
    const { json } = expectStatus(await user.get(`${PATH}?signature=xyz`), 400);
    expect(json.error).toContain("Invalid signature. Must have 14 hexadecimal digits.");
  });
});

describe("GET /api/insights/verdicts/counts", () => {
  it("counts the verdicts on each option, and returns the newest note", async () => {
    const user = await newUser();
    const judged = async (chosen: string, verdict: object, name = "agent") => {
      const alternatives = ["a", "b", "order 4711"].filter((option) => option !== chosen);
      const { ids } = await newDecision(user, { chosen, alternatives }, { name });
      await judge(user, { ...ids, ...verdict });
    };
    await judged("a", { verdict: "right", note: "first" });
    await judged("a", { verdict: "wrong" });
    await judged("a", { verdict: "wrong", shouldHaveBeen: "b", note: "last" });
    await judged("a", { verdict: "wrong", shouldHaveBeen: "order 4712" });
    await judged("b", { verdict: "right" }, "other agent");
    const [{ signature } = { signature: "" }] = (await list(user)).verdicts;
    const counts = expectStatus(await user.get(`${PATH}/counts?signature=${signature}`), 200).json;
    expect(counts).toEqual({
      counts: [
        {
          step: expect.stringMatching(/^[0-9a-f]{8}$/),
          right: 1,
          wrong: 3,
          shouldHaveBeen: [
            { option: "b", verdicts: 1 },
            { option: "order #", verdicts: 1 },
          ],
        },
        { step: expect.any(String), right: 1, wrong: 0, shouldHaveBeen: [] },
      ],
      lastNote: expect.objectContaining({ note: "last", shouldHaveBeen: "b" }),
    });
    const ofAgent = (await user.get(`${PATH}/counts?signature=${signature}&agent=other%20agent`)).json;
    expect(ofAgent).toMatchObject({ counts: [{ right: 1, wrong: 0 }], lastNote: null });
    expectStatus(await user.get(`${PATH}/counts`), 400);
  });
});

describe("the record of blame", () => {
  it("counts first suspects of the agent: blame was right if they were judged wrong", async () => {
    const user = await newUser();
    for (const [verdict, suspectRank, name] of [
      ["wrong", 1, "agent 1234"],
      ["wrong", 1, "agent 999"],
      ["right", 1, "agent 1234"],
      ["wrong", 2, "agent 1234"],
      ["wrong", undefined, "agent 1234"],
      ["wrong", 1, "other"],
    ] as const) {
      const { ids } = await newDecision(user, {}, { name });
      await judge(user, { ...ids, verdict, suspectRank });
    }
    expect(await blameRecord(db, user.workspaceId, agentHash("agent 1234"))).toEqual({ judged: 3, right: 2 });
    expect(await blameRecord(db, user.workspaceId, agentHash("nobody"))).toEqual({ judged: 0, right: 0 });
  });
});

describe("GET /api/insights/verdicts/export", () => {
  it("returns one JSON object per line: the decision as it was sent, and the verdict", async () => {
    const user = await newUser();
    const fields = {
      chosen: { tool: "search", arguments: { n: 1 } },
      reasoning: "line\nbreak",
      contextSnapshot: { order: { state: "refunded" } },
    };
    const { sent, ids } = await newDecision(user, fields, { status: "ERROR" });
    const verdict = await judge(user, {
      ...ids,
      verdict: "wrong",
      shouldHaveBeen: "cache",
      note: "two\nlines",
    });
    const second = await newDecision(user);
    await judge(user, { ...second.ids, verdict: "right" });
    const response = expectStatus(await user.get(`${PATH}/export`), 200);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="whytrace-verdicts.jsonl"',
    );
    const { createdBy: _, ...said } = verdict;
    const lines = response.text.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      ...said,
      traceName: sent.name,
      traceStatus: "ERROR",
      type: "TOOL_SELECTION",
      chosen: fields.chosen,
      alternatives: [{ tool: "cache" }],
      reasoning: fields.reasoning,
      context: fields.contextSnapshot,
      timestamp: "2026-01-02T03:04:05.800Z",
    });
  });

  it("keeps a decision on one line that was sent with line breaks, and numbers as they were sent", async () => {
    const user = await newUser();
    const sent = trace({ decisionPoints: [decision({ id: "d", chosen: "@" })] });
    const body = JSON.stringify({ traces: [sent] }).replace('"@"', '{\n  "n": 1.10\r\n}');
    const headers = { authorization: `Bearer ${user.key}` };
    await fetch(`${client.url}/api/traces`, { method: "POST", body, headers });
    await judge(user, { traceId: sent.id, decisionPointId: "d", verdict: "right" });
    const { text } = await user.get(`${PATH}/export`);
    expect(text.trimEnd()).not.toMatch(/[\n\r]/);
    expect(text).toContain("1.10");
  });

  it("returns verdicts beyond the first page once each, oldest first", async () => {
    const user = await newUser();
    const decisionPoints = Array.from({ length: 1_203 }, (_, n) => decision({ id: `d${n}` }));
    const sent = trace({ decisionPoints });
    await user.send([sent]);
    // Judged in groups at the same moment, as a script would.
    await sql`
      insert into verdicts (workspace_id, trace_id, decision_point_id, verdict, agent_hash, signature, step, created_at)
      select ${user.workspaceId}, ${sent.id}, 'd' || n, 'right', 1, 1, 1, timestamptz '2026-01-01' + n / 400 * interval '1 s'
      from generate_series(0, 1202) as n`.execute(db);
    const lines: Verdict[] = (await user.get(`${PATH}/export`)).text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(lines.map(({ decisionPointId }) => decisionPointId)).size).toBe(1_203);
    expect(lines).toHaveLength(1_203);
    const times = lines.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted());
  });
});
