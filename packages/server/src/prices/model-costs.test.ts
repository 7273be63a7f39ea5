import type { ModelUsage, ParsedSpan, SpanType } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { modelCosts } from "./model-costs.ts";

type Span = Pick<
  ParsedSpan,
  "id" | "parentSpanId" | "type" | "startedAt" | "costUsd" | "usage" | "priceSource"
>;

const usage = (model: string | null, inputTokens: number | null): ModelUsage => ({
  model,
  inputTokens,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: inputTokens === null ? null : 1,
  reasoningTokens: null,
});
const span = (
  id: string,
  parentSpanId: string | null,
  type: SpanType,
  [model, tokens]: [model: string | null, tokens: number | null] | [],
): Span => ({
  id,
  parentSpanId,
  type,
  startedAt: 0,
  costUsd: null,
  usage: model === undefined ? null : usage(model, tokens ?? null),
});
const counted = (spans: Span[]) =>
  modelCosts(spans)
    .map(({ model, calls, inputTokens }) => [model, calls, inputTokens])
    .sort();

describe("the usage of models in a trace", () => {
  it.each<[string, Span[], unknown[]]>([
    ["is empty without models", [span("a", null, "AGENT", []), span("b", "a", "LLM_CALL", [null, 10])], []],
    [
      "leaves out a parent that repeats its calls",
      [
        span("a", null, "AGENT", ["m", 20]),
        span("b", "a", "LLM_CALL", ["m", 10]),
        span("c", "a", "LLM_CALL", ["n", 10]),
      ],
      [
        ["m", 1, 10],
        ["n", 1, 10],
      ],
    ],
    [
      "counts an agent whose calls say nothing",
      [
        span("a", null, "AGENT", ["m", 20]),
        span("b", "a", "TOOL_CALL", []),
        span("c", "a", "LLM_CALL", ["m", null]),
      ],
      [["m", 1, 20]],
    ],
    [
      "counts a call that two instrumentations record once",
      [span("a", null, "LLM_CALL", ["m", 10]), span("b", "a", "LLM_CALL", ["m", 10])],
      [["m", 1, 10]],
    ],
    [
      "counts calls inside a tool of a call",
      [
        span("a", null, "LLM_CALL", ["m", 10]),
        span("t", "a", "TOOL_CALL", []),
        span("b", "t", "LLM_CALL", ["n", 5]),
      ],
      [
        ["m", 1, 10],
        ["n", 1, 5],
      ],
    ],
    [
      "counts calls without tokens",
      [span("a", null, "CHAIN", []), span("b", "a", "LLM_CALL", ["m", null])],
      [["m", 1, 0]],
    ],
  ])("%s", (_, spans, expected) => {
    expect(counted(spans)).toEqual(expected);
    expect(counted(spans.toReversed())).toEqual(expected);
  });

  it("is bounded, however many models a trace names", () => {
    expect(
      counted(Array.from({ length: 1_000 }, (_, n) => span(`s${n}`, null, "LLM_CALL", [`m${n}`, 1]))),
    ).toHaveLength(50);
  });
});
