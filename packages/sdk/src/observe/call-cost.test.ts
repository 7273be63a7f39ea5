import { describe, expect, it } from "vitest";
import { callCost } from "./call-cost.ts";

const million = 1_000_000;
const usage = { inputTokens: million, outputTokens: million };

describe("the cost of a model call", () => {
  const prices = { "gpt-5": { input: 1, output: 10 }, "gpt-5-2026-01-31": { input: 2, output: 20 } };

  it.each([
    ["gpt-5", 11],
    ["gpt-5-2025-08-07", 11],
    ["gpt-5-20250807", 11],
    ["gpt-5@20250807", 11],
    ["gpt-5-0807", 11],
    ["gpt-5-2026-01-31", 22],
  ])("uses the price of the model or of its dated version: %s", (model, cost) => {
    expect(callCost(model, usage, prices)).toEqual({ costUsd: cost });
  });

  it.each([
    "gpt-5-mini",
    "gpt-5-nano",
    "gpt-5-pro-2025-10-06",
    "gpt-5-mini-2025-08-07",
    "gpt-5.1",
    "gpt-50",
    "gpt",
    "toString",
    undefined,
  ])("is unknown for another model: %s", (model) => {
    expect(callCost(model, usage, prices)).toEqual({});
  });

  it("counts cached input at its own price, and says which price is missing", () => {
    const cached = { ...usage, cacheReadTokens: million / 2, cacheWriteTokens: million / 4 };
    const price = { input: 4, output: 8, cacheRead: 0.4, cacheWrite: 5 };
    expect(callCost("m", cached, { m: price }).costUsd).toBeCloseTo(1 + 0.2 + 1.25 + 8, 10);
    for (const missingPrice of ["cacheRead", "cacheWrite"] as const)
      expect(callCost("m", cached, { m: { ...price, [missingPrice]: undefined } })).toEqual({ missingPrice });
    expect(callCost("m", usage, { m: { input: 4, output: 8 } })).toEqual({ costUsd: 12 });
  });
});
