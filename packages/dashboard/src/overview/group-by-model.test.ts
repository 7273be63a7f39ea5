import type { ModelStat } from "@whytrace/contract";
import { expect, it } from "vitest";
import { groupByModel } from "./group-by-model.ts";

const stat = (model: string, fields: Partial<ModelStat>): ModelStat => ({
  model,
  priceSource: "openai/gpt-4o",
  traces: 1,
  calls: 1,
  inputTokens: 10,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 5,
  reasoningTokens: 0,
  costUsd: 1,
  ...fields,
});

it("sums the prices of a model, counts calls without one, and puts the costliest model first", () => {
  const totals = groupByModel([
    stat("a", { costUsd: 1 }),
    stat("local", { priceSource: null, costUsd: null, inputTokens: 99 }),
    stat("b", { costUsd: 1.5 }),
    stat("a", { priceSource: "sent", costUsd: 2 }),
    stat("a", { priceSource: null, costUsd: null, calls: 3 }),
  ]);
  expect(
    totals.map(({ model, costUsd, calls, unpricedCalls, tokens }) => [
      model,
      costUsd,
      calls,
      unpricedCalls,
      tokens,
    ]),
  ).toEqual([
    ["a", 3, 5, 3, 45],
    ["b", 1.5, 1, 0, 15],
    ["local", null, 1, 1, 104],
  ]);
});
