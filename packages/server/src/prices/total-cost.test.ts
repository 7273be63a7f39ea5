import type { SpanType } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { type CostedSpan, totalCost } from "./total-cost.ts";

const span = (
  id: string,
  parentSpanId: string | null,
  type: SpanType,
  costUsd: number | null,
): CostedSpan => ({ id, parentSpanId, type, startedAt: 0, costUsd });

describe("the total cost of a trace", () => {
  it.each<[string, CostedSpan[], number | null]>([
    ["is unknown without spans", [], null],
    [
      "is unknown if no span has a cost",
      [span("a", null, "AGENT", null), span("b", "a", "LLM_CALL", null)],
      null,
    ],
    ["is the sum of its roots", [span("a", null, "LLM_CALL", 1), span("b", null, "TOOL_CALL", 2)], 3],
    [
      "counts a parent that repeats its children once",
      [span("a", null, "AGENT", 3), span("b", "a", "LLM_CALL", 1), span("c", "a", "LLM_CALL", 2)],
      3,
    ],
    ["counts what only the parent says", [span("a", null, "AGENT", 5), span("b", "a", "LLM_CALL", 1)], 5],
    ["counts what only the children say", [span("a", null, "AGENT", 1), span("b", "a", "LLM_CALL", 4)], 4],
    [
      "counts a call that two instrumentations record once",
      [span("a", null, "LLM_CALL", 2), span("b", "a", "LLM_CALL", 2)],
      2,
    ],
    [
      "adds tools inside a model call to it",
      [span("a", null, "LLM_CALL", 2), span("b", "a", "LLM_CALL", 1), span("c", "a", "TOOL_CALL", 0.5)],
      2.5,
    ],
    ["counts a span whose parent is missing as a root", [span("a", "gone", "LLM_CALL", 1)], 1],
    [
      "counts spans that are each other's ancestors once",
      [span("a", "b", "CHAIN", 1), span("b", "a", "CHAIN", 2), span("c", null, "LLM_CALL", 4)],
      6,
    ],
    [
      "is free of binary fractions",
      [span("a", null, "LLM_CALL", 0.1), span("b", null, "LLM_CALL", 0.2)],
      0.3,
    ],
    [
      "is unknown beyond the range of a number",
      [span("a", null, "CHAIN", 1.7e308), span("b", null, "CHAIN", 1.7e308)],
      null,
    ],
  ])("%s", (_, spans, expected) => {
    expect(totalCost(spans)).toBe(expected);
    expect(totalCost(spans.toReversed())).toBe(expected);
  });

  it("is found for chains and lists of any length", () => {
    const chain = Array.from({ length: 50_000 }, (_, n) =>
      span(`s${n}`, n === 0 ? null : `s${n - 1}`, "CHAIN", n === 49_999 ? 1 : null),
    );
    expect(totalCost(chain)).toBe(1);
    const list = Array.from({ length: 200_000 }, (_, n) =>
      span(`s${n}`, n === 0 ? null : "s0", "LLM_CALL", 1),
    );
    expect(totalCost(list)).toBe(199_999);
  });
});
