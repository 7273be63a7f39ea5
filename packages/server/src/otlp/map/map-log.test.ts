import { describe, expect, it } from "vitest";
import type { OtlpLogRecord, OtlpValue } from "../decode/otlp-span.ts";
import { deriveTrace } from "../derive/derive-trace.ts";
import { mapLog } from "./map-log.ts";
import type { LogFacts, SpanFacts } from "./span-facts.ts";

const SPAN = "2".repeat(16);
const DETAILS = "gen_ai.client.inference.operation.details";
const record = (
  eventName: string,
  body: OtlpValue,
  attributes: Record<string, OtlpValue> = {},
): OtlpLogRecord => ({
  traceId: "1".repeat(32),
  spanId: SPAN,
  timeMs: 1_001,
  eventName,
  body,
  attributes: new Map(Object.entries(attributes)),
  scope: { name: "", version: "" },
});
const call = (more: Partial<SpanFacts> = {}): SpanFacts => ({
  id: SPAN,
  name: "chat",
  type: "LLM_CALL",
  status: "COMPLETED",
  startMs: 1_000,
  endMs: 1_100,
  ...more,
});
const kept = (...records: OtlpLogRecord[]): LogFacts[] =>
  records.flatMap((one, position) => mapLog(one, position) ?? []);

const QUESTION = record("gen_ai.user.message", { content: "hello?" });
const CHOICE = record("gen_ai.choice", {
  index: 0,
  finish_reason: "tool_calls",
  message: {
    tool_calls: [{ id: "1", type: "function", function: { name: "lookup", arguments: '{"id":7}' } }],
  },
});
const MESSAGES = record(DETAILS, null, {
  "gen_ai.system_instructions": '[{"type":"text","content":"Be brief."}]',
  "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"hello?"}]}]',
  "gen_ai.output.messages": [
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Why" },
        { type: "tool_call", name: "lookup", arguments: '{"id":7}' },
      ],
    },
  ],
  "gen_ai.tool.definitions": '[{"name":"lookup"},{"name":"refund"}]',
});

it("keeps records with the messages of a call, and no others", () => {
  expect(kept(QUESTION, CHOICE, MESSAGES)).toHaveLength(3);
  expect(kept(record("", "a plain line"), record("http.request", { a: 1 }), record(DETAILS, null))).toEqual(
    [],
  );
});

describe("records of a span", () => {
  it("complete its input and output, one message each or all at once", () => {
    expect(
      deriveTrace(
        [call()],
        kept(record("gen_ai.system.message", "Be brief."), QUESTION, CHOICE),
      ).completions.get(SPAN),
    ).toEqual({
      input: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hello?" },
      ],
      output: {
        role: "assistant",
        index: 0,
        finish_reason: "tool_calls",
        tool_calls: [{ id: "1", type: "function", function: { name: "lookup", arguments: '{"id":7}' } }],
      },
    });
    expect(deriveTrace([call()], kept(MESSAGES)).completions.get(SPAN)?.input).toEqual({
      system: [{ type: "text", content: "Be brief." }],
      messages: [{ role: "user", parts: [{ type: "text", content: "hello?" }] }],
    });
  });

  it("of Claude Code complete the input of its tools, whose spans the records do not name", () => {
    const toolResult = (callId: string, more: Record<string, OtlpValue> = {}) =>
      record("tool_result", "claude_code.tool_result", { tool_use_id: callId, ...more });
    const tool = (id: string, more: Partial<SpanFacts> = {}): SpanFacts => ({
      ...call({ id, parentId: "root", type: "TOOL_CALL", startMs: 1_200, endMs: 1_300 }),
      tool: { name: "Read" },
      callId: `toolu_${id}`,
      ...more,
    });
    const spans = [
      call({ id: "root", type: "AGENT", endMs: 2_000 }),
      call({ parentId: "root", asksForTools: true }),
      tool("first"),
      tool("second", { startMs: 1_201 }),
    ];
    const logs = kept(
      toolResult("toolu_second", { tool_input: '{"file_path":"b.ts"}' }),
      toolResult("toolu_first", { tool_input: '{"file_path":"a.ts"}' }),
      toolResult("toolu_unknown", { tool_input: '{"file_path":"c.ts"}' }),
    );
    const { completions, decisionPoints } = deriveTrace(spans, logs);
    expect([...completions]).toEqual([
      ["first", { input: { file_path: "a.ts" }, callId: "toolu_first" }],
      ["second", { input: { file_path: "b.ts" }, callId: "toolu_second" }],
    ]);
    expect(decisionPoints.map(({ chosen }) => chosen)).toEqual([
      { name: "Read", arguments: { file_path: "a.ts" } },
      { name: "Read", arguments: { file_path: "b.ts" } },
    ]);
    expect(kept(toolResult("toolu_first"), toolResult("", { tool_input: "{}" }))).toEqual([]);
  });

  it("of Claude Code say why it called its tools, and which others it could have called", () => {
    const spans = [
      call({ id: "root", type: "AGENT", endMs: 2_000 }),
      call({ parentId: "root", asksForTools: true, callId: "req_1" }),
      {
        ...call({ id: "tool", parentId: "root", type: "TOOL_CALL", startMs: 1_200, endMs: 1_300 }),
        tool: { name: "lookup" },
      },
    ];
    const request = (tools: string[]) =>
      record("api_request_body", "claude_code.api_request_body", {
        body: JSON.stringify({ model: "m", messages: [], tools: tools.map((name) => ({ name })) }),
      });
    const answered = (requestId: string, response = "Let me look it up.") =>
      record("assistant_response", "claude_code.assistant_response", { request_id: requestId, response });
    const tools = ["Read", "mcp__shop__lookup", "mcp__my_shop__refund", "DeferredToolPlaceholder"];
    const ofRun = [request([]), request(tools), answered("req_1")].map((one) => ({ ...one, spanId: "root" }));
    const { completions, decisionPoints } = deriveTrace(spans, kept(...ofRun));
    expect(decisionPoints).toMatchObject([
      {
        chosen: { name: "lookup" },
        alternatives: [{ name: "Read" }, { name: "refund" }],
        reasoning: "Let me look it up.",
        inference: { alternativesKnown: true },
      },
    ]);
    expect([...completions]).toMatchObject([
      [SPAN, { output: { role: "assistant", content: "Let me look it up." } }],
    ]);
    const [decision] = deriveTrace(spans, kept(answered("req_1", "a\0b"))).decisionPoints;
    expect(decision?.reasoning).toBe("a\ufffdb");
    // An id that several spans have says nothing.
    const again = call({ id: "again", parentId: "root", callId: "req_1", startMs: 1_400, endMs: 1_500 });
    expect(deriveTrace([...spans, again], kept(answered("req_1"))).completions.size).toBe(0);
    expect(kept(answered("req_1", "<REDACTED>"), answered(""))).toEqual([]);
    expect(kept(record("", "claude_code.api_request_body", { body: '{"tools":[' }))).toEqual([]);
  });

  it("leave what the span itself says", () => {
    const { completions } = deriveTrace([call({ hasInput: true })], kept(QUESTION, CHOICE));
    expect(Object.keys(completions.get(SPAN) ?? {})).toEqual(["output"]);
    expect(
      deriveTrace([call({ hasInput: true, hasOutput: true })], kept(QUESTION, CHOICE)).completions.size,
    ).toBe(0);
  });

  it("show what the model chose, from what, and why", () => {
    const [decision] = deriveTrace([call()], kept(MESSAGES)).decisionPoints;
    expect(decision).toMatchObject({
      chosen: { name: "lookup", arguments: { id: 7 } },
      alternatives: [{ name: "refund" }],
      reasoning: "Why",
      parentSpanId: SPAN,
      inference: { alternativesKnown: true },
    });
    expect(deriveTrace([call()], kept(QUESTION, CHOICE)).decisionPoints).toMatchObject([
      {
        chosen: { name: "lookup" },
        alternatives: [],
        reasoning: null,
        inference: { alternativesKnown: false },
      },
    ]);
  });

  it("make the same trace in any order, and twice", () => {
    const logs = kept(
      QUESTION,
      record("gen_ai.assistant.message", { content: "yes?" }),
      record("gen_ai.user.message", { content: "a question" }),
      CHOICE,
    );
    const derived = deriveTrace([call()], logs);
    expect(deriveTrace([call()], [...logs, ...logs].reverse())).toEqual(derived);
    expect(JSON.stringify(derived.completions.get(SPAN)?.input)).toMatch(/hello.*yes.*a question/);
  });

  it("are in the order of their request, where they have the same time", () => {
    const contents = Array.from({ length: 12 }, (_, index) => `message ${99 - index}`);
    const logs = kept(...contents.map((content) => record("gen_ai.user.message", { content })));
    expect(deriveTrace([call()], logs.reverse()).completions.get(SPAN)?.input).toEqual(
      contents.map((content) => ({ role: "user", content })),
    );
  });

  it("wait for their span", () => {
    const { completions, decisionPoints } = deriveTrace([call({ id: "another" })], kept(QUESTION, CHOICE));
    expect([completions.size, decisionPoints]).toEqual([0, []]);
  });
});
