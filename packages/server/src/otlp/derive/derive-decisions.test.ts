import { otlpEvent, otlpSpan, SPAN_START } from "@whytrace/testing/otlp/otlp-span.ts";
import { describe, expect, it } from "vitest";
import type { OtlpValue } from "../decode/otlp-span.ts";
import { mapSpan } from "../map/map-span.ts";
import type { SpanFacts, WrittenDecision } from "../map/span-facts.ts";
import { deriveTrace } from "./derive-trace.ts";

const call = (decisions?: WrittenDecision[]): SpanFacts => ({
  id: "0000000000000001",
  name: "chat",
  type: "LLM_CALL",
  status: "COMPLETED",
  startMs: 0,
  endMs: 10,
  calls: [{ name: "lookup", arguments: { id: 7 } }],
  offered: ["lookup", "refund"],
  ...(decisions && { decisions }),
});
const typesOf = (facts: SpanFacts) =>
  deriveTrace([facts], []).decisionPoints.map(({ type, inference }) => [type, inference !== undefined]);

describe("the tools that a call chose", () => {
  it("are inferred beside decisions of other types", () => {
    expect(typesOf(call())).toEqual([["TOOL_SELECTION", true]]);
    expect(typesOf(call([{ type: "ROUTING", chosen: "gold", timeMs: 5 }]))).toEqual([
      ["ROUTING", false],
      ["TOOL_SELECTION", true],
    ]);
  });

  it("are not inferred if the application has written down the selection", () => {
    const written = {
      type: "TOOL_SELECTION",
      chosen: "lookup",
      costUsd: 0.5,
      durationMs: 3,
      timeMs: 5,
    } as const;
    const { decisionPoints } = deriveTrace([call([written])], []);
    expect(decisionPoints).toMatchObject([
      { type: "TOOL_SELECTION", chosen: "lookup", costUsd: 0.5, durationMs: 3 },
    ]);
    expect(decisionPoints).toHaveLength(1);
  });

  it("are not inferred from the same call inside it, either", () => {
    const outer = call([{ type: "TOOL_SELECTION", chosen: "lookup", timeMs: 5 }]);
    const inner = { ...call(), id: "0000000000000002", parentId: outer.id, startMs: 1 };
    expect(deriveTrace([inner, outer], []).decisionPoints).toHaveLength(1);
  });
});

const span = (
  id: string,
  parentId: string | null,
  type: SpanFacts["type"],
  startMs: number,
  more: Partial<SpanFacts> = {},
): SpanFacts => ({
  id,
  ...(parentId !== null && { parentId }),
  name: id,
  type,
  status: "COMPLETED",
  startMs,
  endMs: startMs + 5,
  ...more,
});
const tool = (id: string, parentId: string, name: string, startMs: number) =>
  span(id, parentId, "TOOL_CALL", startMs, { tool: { name, arguments: { at: startMs } } });
const decisionsOf = (...spans: SpanFacts[]) => deriveTrace(spans, []).decisionPoints;
const chosen = (...spans: SpanFacts[]) =>
  decisionsOf(...spans).map((decision) => [decision.parentSpanId, Object(decision.chosen).name]);
const LOOKUP = { calls: [{ name: "lookup", arguments: { id: 7 } }] };

describe("each call of an answer", () => {
  const answer = span("call", "agent", "LLM_CALL", 10, {
    calls: [{ name: "b", arguments: { id: 1 } }, { name: "a" }],
    offered: ["a", "b", "c", "d"],
    reasoning: "Because.",
  });

  it("is a decision, in the order of the calls, with what was offered and not called", () => {
    const decision = {
      type: "TOOL_SELECTION",
      alternatives: [{ name: "c" }, { name: "d" }],
      reasoning: "Because.",
      parentSpanId: "call",
      timestamp: 15,
      inference: { alternativesKnown: true },
    };
    expect(decisionsOf(answer)).toMatchObject([
      { ...decision, id: "call-call-0", chosen: { name: "b", arguments: { id: 1 } } },
      { ...decision, id: "call-call-1", chosen: { name: "a", arguments: {} } },
    ]);
  });

  it("was made when the tools start, if the span of the call goes on", () => {
    expect(decisionsOf(answer, tool("tool", "call", "b", 12)).map(({ timestamp }) => timestamp)).toEqual([
      12, 12,
    ]);
  });

  it("is not one if only an agent lists it", () => {
    expect(decisionsOf(span("agent", null, "AGENT", 1, LOOKUP))).toEqual([]);
  });
});

describe("what was offered", () => {
  const caller = span("call", "step", "LLM_CALL", 3, LOOKUP);
  const step = span("step", "agent", "CHAIN", 2);
  const agent = (offered: string[]) => span("agent", null, "AGENT", 1, { offered });
  const alternatives = (...spans: SpanFacts[]) => {
    const [decision] = decisionsOf(...spans);
    return [decision?.alternatives, decision?.inference];
  };

  it("is what the nearest span above offers, where the call does not say it", () => {
    expect(alternatives(caller, step, agent(["lookup", "refund"]))).toEqual([
      [{ name: "refund" }],
      { alternativesKnown: true },
    ]);
    expect(
      alternatives({ ...caller, offered: ["lookup", "own"] }, step, agent(["lookup", "refund"]))[0],
    ).toEqual([{ name: "own" }]);
  });

  it("is unknown where nobody says it: that is not the same as no alternatives", () => {
    expect(alternatives(caller, step)).toEqual([[], { alternativesKnown: false }]);
    expect(alternatives({ ...caller, offered: ["lookup"] }, step)).toEqual([[], { alternativesKnown: true }]);
  });

  it("is unknown where the agent above offers something else, or a tool is between", () => {
    expect(alternatives(caller, step, agent(["other"]))).toEqual([[], { alternativesKnown: false }]);
    expect(alternatives(caller, { ...step, type: "TOOL_CALL" }, agent(["lookup", "refund"]))).toEqual([
      [],
      { alternativesKnown: false },
    ]);
  });
});

describe("a call inside the same call", () => {
  it("is told by the outer one", () => {
    const outer = span("outer", null, "LLM_CALL", 1, LOOKUP);
    const inner = span("inner", "outer", "LLM_CALL", 2, LOOKUP);
    const innermost = span("innermost", "inner", "LLM_CALL", 3, LOOKUP);
    expect(chosen(innermost, inner, outer)).toEqual([["outer", "lookup"]]);
  });

  it("is told by the inner one where only that names the tools", () => {
    const outer = span("outer", "agent", "LLM_CALL", 1, { asksForTools: true });
    const inner = span("inner", "outer", "LLM_CALL", 2, LOOKUP);
    expect(chosen(outer, inner, tool("tool", "agent", "lookup", 9))).toEqual([["inner", "lookup"]]);
  });

  it("is another call where a tool is between", () => {
    const outer = span("outer", null, "LLM_CALL", 1, LOOKUP);
    const inner = span("inner", "tool", "LLM_CALL", 3, { calls: [{ name: "search" }] });
    expect(chosen(outer, tool("tool", "outer", "lookup", 2), inner)).toEqual([
      ["outer", "lookup"],
      ["inner", "search"],
    ]);
  });
});

describe("a call that asks for tools without naming them", () => {
  const asks = (id: string, startMs: number) =>
    span(id, "agent", "LLM_CALL", startMs, { asksForTools: true });

  it("called the tools that follow, before the next call", () => {
    const spans = [
      asks("first", 1),
      tool("t1", "agent", "a", 2),
      tool("t2", "agent", "b", 3),
      asks("second", 4),
      tool("t3", "agent", "c", 5),
    ];
    expect(chosen(...spans)).toEqual([
      ["first", "a"],
      ["first", "b"],
      ["second", "c"],
    ]);
    expect(decisionsOf(...spans)[0]).toMatchObject({
      chosen: { name: "a", arguments: { at: 2 } },
      contextSnapshot: { evidence: expect.any(String) },
    });
  });

  it("is followed by what ends later, where both start in the same millisecond", () => {
    const quick = { ...asks("call", 1), endMs: 1.2 };
    const before = { ...tool("a-before", "agent", "before", 1), endMs: 1.1 };
    const after = { ...tool("a-after", "agent", "after", 1), endMs: 1.3 };
    expect(chosen(after, before, quick)).toEqual([["call", "after"]]);
  });

  it("called the tools below it, if there are any", () => {
    expect(chosen(asks("call", 1), tool("t1", "call", "below", 2), tool("t2", "agent", "beside", 3))).toEqual(
      [["call", "below"]],
    );
  });

  it("is no decision where no tool follows, or where the call did not ask", () => {
    expect(chosen(asks("call", 1))).toEqual([]);
    expect(chosen(span("call", "agent", "LLM_CALL", 1), tool("t1", "agent", "a", 2))).toEqual([]);
  });

  it("called what the step around it says, for the reason that a span below it says", () => {
    const step = span("step", null, "CHAIN", 0, LOOKUP);
    const failed = span("failed", "step", "LLM_CALL", 1, { asksForTools: true });
    const last = span("last", "step", "LLM_CALL", 2, { asksForTools: true });
    const chunk = span("chunk", "last", "CUSTOM", 3, { chunk: "Because." });
    expect(chosen(step, failed, last, chunk)).toEqual([["last", "lookup"]]);
    expect(decisionsOf(step, last, chunk)[0]?.reasoning).toBe("Because.");
  });
});

it("a call that hands over to another agent is a ROUTING decision", () => {
  const offered = ["transfer_to_Orders", "handoff_to_Billing", "lookup"];
  const [decision] = decisionsOf(
    span("call", null, "LLM_CALL", 1, { calls: [{ name: "transfer_to_Orders" }], offered }),
  );
  expect(decision).toMatchObject({
    type: "ROUTING",
    chosen: { name: "Orders" },
    alternatives: [{ name: "Billing" }, { name: "lookup" }],
  });
  const adk = span("call", null, "LLM_CALL", 1, {
    calls: [{ name: "transfer_to_agent", arguments: { agent_name: "Orders" } }],
  });
  expect(decisionsOf(adk)[0]?.chosen).toMatchObject({ name: "Orders" });
});

it("a retrieval is a decision of its span", () => {
  expect(
    decisionsOf(span("search", null, "MEMORY_OP", 1, { name: "policies", isRetrieval: true })),
  ).toMatchObject([
    {
      id: "search-retrieval",
      type: "MEMORY_RETRIEVAL",
      chosen: { name: "policies" },
      alternatives: [],
      inference: { alternativesKnown: false },
    },
  ]);
});

describe("an event named whytrace.decision", () => {
  const said = (ms: number, values: Record<string, OtlpValue>) =>
    otlpEvent(
      "whytrace.decision",
      Object.fromEntries(Object.entries(values).map(([key, value]) => [`whytrace.decision.${key}`, value])),
      SPAN_START + ms,
    );

  it("is a decision that was written down, in the order of time", () => {
    const events = [
      said(30, { type: "NONSENSE", chosen: { name: "c" } }),
      said(10, {
        type: "ROUTING",
        chosen: '{"name":"gold"}',
        alternatives: '["silver",{"name":"bronze"}]',
        reasoning: "good",
        context: '{"orders":12}',
      }),
      said(20, { chosen: "wait", alternatives: ["give up", '{"name":"ask"}'] }),
      said(40, { type: "RETRY", chosen: "42", alternatives: "{not json", context: "plain" }),
      said(50, {}),
    ];
    const { facts, events: rows } = mapSpan(otlpSpan({}, { events }));
    expect(rows).toEqual([]);
    const written = decisionsOf(facts);
    expect(
      written.map((d) => [
        d.timestamp - SPAN_START,
        d.type,
        d.chosen,
        d.alternatives,
        d.reasoning,
        d.contextSnapshot,
      ]),
    ).toEqual([
      [10, "ROUTING", { name: "gold" }, ["silver", { name: "bronze" }], "good", { orders: 12 }],
      [20, "CUSTOM", "wait", ["give up", { name: "ask" }], null, null],
      [30, "CUSTOM", { name: "c" }, [], null, null],
      [40, "RETRY", "42", ["{not json"], null, "plain"],
      [50, "CUSTOM", null, [], null, null],
    ]);
    expect(new Set(written.map(({ id }) => id)).size).toBe(5);
    expect(written.every(({ inference }) => !inference)).toBe(true);
  });

  it("is within its span, whatever its time", () => {
    const { facts } = mapSpan(otlpSpan({}, { events: [said(-50, { chosen: 1 }), said(500, { chosen: 2 })] }));
    expect(decisionsOf(facts).map(({ timestamp }) => timestamp - SPAN_START)).toEqual([0, 100]);
  });
});

it("the AI SDK's decide is a decision for each question, told by the outer span", () => {
  const attributes = {
    "gen_ai.operation.name": "decide",
    "ai.decision.questions": JSON.stringify({
      team: { type: "choice", criteria: { support: "Orders", sales: "New" } },
      severity: { type: "score" },
    }),
    "ai.decision.answers": JSON.stringify({
      team: { choice: "support", probabilities: { support: 0.9, sales: 0.1 } },
      severity: { score: 1.2 },
    }),
  };
  const outer = mapSpan(otlpSpan(attributes)).facts;
  const inner = mapSpan(otlpSpan(attributes, { spanId: "3".repeat(16), parentSpanId: outer.id })).facts;
  const decisions = decisionsOf(inner, outer);
  expect(decisions).toMatchObject([
    {
      parentSpanId: outer.id,
      type: "ROUTING",
      chosen: "support",
      alternatives: ["sales"],
      contextSnapshot: { question: "team", answer: { choice: "support" } },
    },
    { parentSpanId: outer.id, type: "CUSTOM", chosen: 1.2, alternatives: [] },
  ]);
  expect(decisions.every(({ inference }) => !inference)).toBe(true);
});
