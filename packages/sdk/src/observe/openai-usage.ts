import type { Usage } from "./call-cost.ts";
import { asNumber, asObject } from "./read-json.ts";

/** Reads the usage of chat completions, embeddings and responses, which name the same numbers differently. */
export function openaiUsage(usage: unknown): Usage {
  const { prompt_tokens, completion_tokens, input_tokens, output_tokens, ...details } = asObject(usage);
  const input = asObject(details.prompt_tokens_details ?? details.input_tokens_details);
  const output = asObject(details.completion_tokens_details ?? details.output_tokens_details);
  return {
    inputTokens: asNumber(prompt_tokens ?? input_tokens),
    outputTokens: asNumber(completion_tokens ?? output_tokens),
    cacheReadTokens: asNumber(input.cached_tokens),
    cacheWriteTokens: asNumber(input.cache_write_tokens),
    reasoningTokens: asNumber(output.reasoning_tokens),
  };
}
