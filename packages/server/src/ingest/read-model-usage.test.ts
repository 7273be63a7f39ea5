import { RawJson } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { readModelUsage } from "./read-model-usage.ts";

const raw = (value: unknown) => {
  const bytes = Buffer.from(JSON.stringify(value));
  return new RawJson(bytes, 0, bytes.length);
};
const usage = (fields: object) => ({
  model: "m",
  inputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  ...fields,
});

describe("readModelUsage", () => {
  it.each([
    [
      "the SDK's wrappers",
      {
        model: "m",
        finishReason: "stop",
        inputTokens: 10,
        outputTokens: 5,
        cacheReadTokens: 4,
        reasoningTokens: 2,
      },
      { inputTokens: 10, cacheReadTokens: 4, outputTokens: 5, reasoningTokens: 2 },
    ],
    [
      "OpenTelemetry",
      {
        "gen_ai.request.model": "asked",
        "gen_ai.response.model": "m",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read_input_tokens": 4,
      },
      { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4 },
    ],
    [
      "flat usage",
      { model: "m", "usage.input_tokens": 10, "usage.output_tokens": 5 },
      { inputTokens: 10, outputTokens: 5 },
    ],
    [
      "OpenAI's chat completions",
      {
        model: "m",
        usage: {
          prompt_tokens: 10,
          completion_tokens: 5,
          prompt_tokens_details: { cached_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 3 },
        },
      },
      { inputTokens: 10, cacheReadTokens: 4, outputTokens: 5, reasoningTokens: 3 },
    ],
    [
      "Anthropic, whose input does not include cached tokens",
      {
        model: "m",
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 4,
          cache_creation_input_tokens: 2,
          output_tokens: 5,
        },
      },
      { inputTokens: 16, cacheReadTokens: 4, cacheWriteTokens: 2, outputTokens: 5 },
    ],
    [
      "Google, whose output does not include thoughts",
      {
        model: "m",
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 3,
          cachedContentTokenCount: 4,
        },
      },
      { inputTokens: 10, cacheReadTokens: 4, outputTokens: 8, reasoningTokens: 3 },
    ],
    [
      "the AI SDK",
      {
        modelId: "m",
        usage: { inputTokens: { total: 10, cacheRead: 4 }, outputTokens: { total: 5, reasoning: 3 } },
      },
      { inputTokens: 10, cacheReadTokens: 4, outputTokens: 5, reasoningTokens: 3 },
    ],
    [
      "a sender whose input is less than what it read from the cache",
      { model: "m", inputTokens: 10, cacheReadTokens: 40 },
      { inputTokens: 50, cacheReadTokens: 40 },
    ],
    ["no tokens", { model: " m " }, {}],
  ])("reads the metadata of %s", (_, metadata, expected) => {
    expect(readModelUsage(raw(metadata))).toEqual(usage(expected));
    expect(readModelUsage(metadata)).toEqual(usage(expected));
  });

  it.each([
    ["an array", ["model"]],
    ["text", "model"],
    ["something else", { customer: "acme", tokens: "many" }],
    ["a model that is no text", { model: { name: "m" } }],
    ["a name that is too long", { model: "m".repeat(201) }],
    ["more than 32 KiB", { model: "m", notes: "n".repeat(33_000) }],
  ])("finds nothing in %s", (_, metadata) => {
    expect(readModelUsage(raw(metadata))).toBeNull();
  });

  it("ignores counts that are negative or no numbers", () => {
    expect(readModelUsage({ model: "m", inputTokens: -1, outputTokens: "5" })).toEqual(usage({}));
  });

  it("makes the name of a model fit for storage", () => {
    expect(readModelUsage({ model: "a\0b\ud800" })?.model).toBe("a\ufffdb\ufffd");
  });
});
