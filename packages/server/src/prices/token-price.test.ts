import { calcPrice } from "@pydantic/genai-prices";
import { describe, expect, it } from "vitest";
import { loadPriceList } from "./price-list.ts";
import { costOf } from "./token-price.ts";

const AT = Date.UTC(2026, 5, 1, 12);
const list = await loadPriceList();

describe("the cost of a call", () => {
  it.each([
    "gpt-4o",
    "claude-sonnet-4-5",
    "gemini-2.5-pro",
    "gemini-2.0-flash",
    "deepseek-chat",
    "o3",
    "grok-4",
  ])("of %s is the one that the library of the price list computes", (model) => {
    const price = list.find(model, AT)?.price;
    for (const [input, read, write, output] of [
      [0, 0, 0, 1],
      [1, 1, 0, 0],
      [12_345, 6_789, 0, 1_234],
      [12_345, 0, 2_345, 1_234],
      [250_001, 100_000, 50_000, 9_999],
    ] as const) {
      const tokens = {
        input_tokens: input,
        cache_read_tokens: read,
        cache_write_tokens: write,
        output_tokens: output,
      };
      const usage = {
        model,
        inputTokens: input,
        cacheReadTokens: read,
        cacheWriteTokens: write,
        outputTokens: output,
        reasoningTokens: null,
      };
      const expected = calcPrice(tokens, model, { timestamp: new Date(AT) })?.total_price;
      expect(price && costOf(usage, price)).toBeCloseTo(expected ?? Number.NaN, 11);
    }
  });
});
