import { toPlainMessages } from "./langchain-messages.ts";
import type { LlmResponse } from "./llm-call.ts";
import { asArray, asNumber, asObject, nonEmptyString } from "./read-json.ts";
import { isToolCall, itemCall } from "./tool-call.ts";

/** Reads what LangChain passes at the end of a model call. */
export function readLangchainResult(result: unknown): LlmResponse {
  const { generations, llmOutput } = asObject(result);
  const generation = asObject(asArray(asArray(generations)[0])[0]);
  const message = asObject(generation.message);
  const { content, tool_calls, usage_metadata, response_metadata, additional_kwargs } = message;
  const usage = asObject(usage_metadata);
  const input = asObject(usage.input_token_details);
  // LangChain keeps calls of OpenAI's built-in tools apart.
  const { tool_outputs, reasoning_content } = asObject(additional_kwargs);
  const { promptTokens, completionTokens } = asObject(asObject(llmOutput).tokenUsage);
  const { model_name, model, finish_reason, stop_reason } = asObject(response_metadata);
  const blocks = asArray(content).map(asObject);
  const joinText = (...fields: string[]) =>
    blocks.flatMap((block) => fields.flatMap((field) => nonEmptyString(block[field]) ?? [])).join("\n");
  return {
    model: nonEmptyString(model_name) ?? nonEmptyString(model),
    output: generation.message === undefined ? generation.text : toPlainMessages(generation.message),
    inputTokens: asNumber(usage.input_tokens ?? promptTokens),
    outputTokens: asNumber(usage.output_tokens ?? completionTokens),
    cacheReadTokens: asNumber(input.cache_read),
    cacheWriteTokens: asNumber(input.cache_creation),
    reasoningTokens: asNumber(asObject(usage.output_token_details).reasoning),
    toolCalls: [
      ...asArray(tool_outputs).map(asObject).filter(isToolCall).map(itemCall),
      ...asArray(tool_calls).map((call) => {
        const { name, args } = asObject(call);
        return { name: nonEmptyString(name) ?? "unknown", input: args };
      }),
    ],
    reasoning:
      nonEmptyString(reasoning_content) ??
      (joinText("thinking", "reasoning") || nonEmptyString(content) || joinText("text")),
    finishReason: nonEmptyString(finish_reason) ?? nonEmptyString(stop_reason),
  };
}
