import { describe, expect, it } from "vitest";
import { deriveTrace } from "./derive-trace.ts";
import type { SpanFacts, WrittenDecision } from "./span-facts.ts";

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
