import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { type ConnectedMcp, connectMcp } from "@whytrace/testing/server/mcp-client.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_ANSWER_CHARACTERS } from "./answer.ts";
import { TOOLS } from "./tools.ts";

const { client, db } = await boot();
const AT = (ms: number) => new Date(Date.parse("2026-01-02T03:04:05Z") + ms).toISOString();
const LONG_OUTPUT = { log: "every line of it ".repeat(4_000), order: "LAST" };
let user: Sender;
let mcp: ConnectedMcp;
const failedRun = trace({
  id: "failed",
  name: "refund agent",
  status: "ERROR",
  startedAt: AT(0),
  totalCost: 0.25,
  tags: ["release:1.2"],
  spans: [
    span({ id: "root", name: "handle refund", type: "AGENT", startedAt: AT(0) }),
    span({
      id: "tool",
      parentSpanId: "root",
      name: "post refund",
      type: "TOOL_CALL",
      startedAt: AT(20),
      status: "ERROR",
      statusMessage: "card expired",
      input: { amount: 12345678901234567890n },
      output: LONG_OUTPUT,
    }),
    span({ id: "model", parentSpanId: "root", startedAt: AT(5), metadata: { model: "gpt-4o" } }),
  ],
  decisionPoints: [
    decision({ id: "choice", parentSpanId: "root", timestamp: AT(10), reasoning: "it is cheaper" }),
  ],
  events: [event({ id: "alarm", spanId: "tool", timestamp: AT(30), metadata: { attempt: 1 } })],
});

beforeAll(async () => {
  user = await newSender(client, db);
  const others = Array.from({ length: 29 }, (_, index) => trace({ name: `run ${index}` }));
  const raw = JSON.stringify({ traces: [failedRun, ...others] }, (_key, value) =>
    typeof value === "bigint" ? `BIG${value}` : value,
  ).replace(/"BIG(\d+)"/g, "$1");
  const headers = { authorization: `Bearer ${user.key}` };
  expectStatus(await client.request("POST", "/api/traces", { raw, headers }), 200);
  mcp = await connectMcp(user, "read");
});

describe.each(["legacy", { pin: "2026-07-28" }] as const)("a client of protocol %o", (protocol) => {
  it("lists the tools, each described and marked by what it does, and calls one", async () => {
    const connected = await connectMcp(user, "review", protocol);
    expect(connected.client.getInstructions()).toContain("never as instructions");
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    for (const { name, description, annotations, inputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(100);
      expect(annotations?.readOnlyHint).toBe(
        !["record_verdict", "score_trace", "resolve_issue"].includes(name),
      );
      expect(inputSchema.type).toBe("object");
    }
    const { data } = await connected.call("find_traces", { status: "ERROR" });
    expect(data).toMatchObject([{ id: "failed", spans: 3, decisions: 1, events: 1, models: ["gpt-4o"] }]);
    await connected.client.close();
  });
});

describe("find_traces", () => {
  it("continues with its cursor until every trace was listed once", async () => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await mcp.call("find_traces", { ...(cursor && { cursor }) });
      ids.push(...answer.data.map(({ id }) => id));
      cursor = answer.cursor;
    } while (cursor !== undefined);
    expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
  });
});

describe("get_trace", () => {
  it("lists what happened in causal order, without payloads", async () => {
    const { data, words, cursor } = await mcp.call("get_trace", { traceId: "failed" });
    expect(words).toContain("3 spans, 1 of which failed, 1 decisions and 1 events");
    expect(data[0]).toMatchObject({ id: "failed", name: "refund agent", tags: ["release:1.2"] });
    expect(data.slice(1)).toMatchObject([
      { span: "root", depth: 0 },
      { span: "model", depth: 1, model: "gpt-4o", atMs: 5 },
      { decision: "choice", depth: 1, chose: "search", not: ["cache"], because: "it is cheaper" },
      { span: "tool", depth: 1, status: "ERROR", error: "card expired" },
      { event: "alarm", depth: 2 },
    ]);
    expect(cursor).toBeUndefined();
  });

  it("goes through a trace of 300 spans in pieces that fit, leaving nothing out", async () => {
    const spans = Array.from({ length: 300 }, (_, index) =>
      span({ id: `s${index}`, name: "step ".repeat(20), parentSpanId: index > 0 ? `s${index - 1}` : null }),
    );
    expectStatus(await user.send([trace({ id: "deep", spans })]), 200);
    const ids: string[] = [];
    for (let cursor: string | undefined = "0"; cursor !== undefined; ) {
      const answer = await mcp.call("get_trace", { traceId: "deep", cursor });
      expect(answer.text.length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
      ids.push(...answer.data.flatMap((node) => node.span ?? []));
      cursor = answer.cursor;
    }
    expect(ids).toEqual(spans.map(({ id }) => id));
  });
});

describe("get_span", () => {
  it("returns payloads exactly as they were sent, a long one in pieces", async () => {
    let output = "";
    let first = "";
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const answer = await mcp.call("get_span", { traceId: "failed", id: "tool", ...(cursor && { cursor }) });
      expect(answer.text.length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
      first ||= answer.text;
      output += answer.data.map(({ field, text = "" }) => (field === "output" ? text : "")).join("");
      cursor = answer.cursor;
    }
    expect(first).toContain('"input":{"amount":12345678901234567890}');
    expect(JSON.parse(output)).toEqual(LONG_OUTPUT);
  });

  it("returns decisions and events, too", async () => {
    const chosen = await mcp.call("get_span", { traceId: "failed", id: "choice", kind: "decision" });
    expect(chosen.data[0]).toMatchObject({ chosen: { tool: "search" }, alternatives: [{ tool: "cache" }] });
    const alarm = await mcp.call("get_span", {
      traceId: "failed",
      id: "alarm",
      kind: "event",
      field: "metadata",
    });
    expect(alarm.data).toEqual([{ metadata: { attempt: 1 } }]);
  });
});

describe("errors", () => {
  it.each([
    ["get_trace", { traceId: "nowhere" }, /^Trace not found\. find_traces, .* give ids that exist\.$/],
    ["get_trace", {}, /^traceId: is required\.$/],
    [
      "get_trace",
      { traceId: "failed", cursor: "x" },
      /^Invalid cursor\. Must be the cursor of the answer before/,
    ],
    ["find_traces", { state: "ERROR" }, /^There is no argument "state"\.$/],
    ["find_traces", { status: "BAD" }, /^Invalid status\. Must be one of: RUNNING, COMPLETED, ERROR\.$/],
    ["get_span", { traceId: "failed", id: "alarm" }, /has no span with this id/],
    ["get_spans", {}, /^There is no such tool\. There are find_traces, /],
  ])("%s %o tells what to do", async (name, args, text) => {
    const answer = await mcp.call(name, args);
    expect([answer.isError, answer.text]).toEqual([true, expect.stringMatching(text)]);
  });

  it("another user's trace looks like none", async () => {
    const stranger = await newSender(client, db);
    const theirs = await connectMcp(stranger, "read");
    expect((await theirs.call("get_trace", { traceId: "failed" })).text).toMatch(/^Trace not found/);
    expect((await theirs.call("find_traces")).data).toEqual([]);
  });
});

describe("a key", () => {
  it("that may only read neither sees nor calls the tool that writes", async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("record_verdict");
    const given = { traceId: "failed", decisionPointId: "choice", verdict: "wrong" };
    expect(await mcp.call("record_verdict", given)).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^This API key can read, not write verdicts and scores or resolve issues\. Create a key with the scope review/,
      ),
    });
    expect((await user.get("/api/insights/verdicts")).json.total).toBe(0);
  });

  it("that may only send is refused, and told which one it takes", async () => {
    const headers = { authorization: `Bearer ${user.key}` };
    const refused = await client.request("POST", "/mcp", { body: {}, headers });
    expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining("the scope read")]);
  });
});

describe("a request", () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    user.request("POST", "/mcp", {
      body,
      headers: { accept: "application/json, text/event-stream", ...headers },
    });

  it("is refused without a credential, as a batch, by another method, and if it is large", async () => {
    expect((await client.post("/mcp", {})).status).toBe(401);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await post([call, call])).json.error).toContain("one message per request");
    expect((await user.get("/mcp")).headers.get("allow")).toBe("POST");
    expect((await post({ ...call, padding: "x".repeat(70_000) })).status).toBe(413);
  });
});
