import type { Convention } from "./convention.ts";

/** Arize's OpenInference. Messages and tools are also there as attributes of their own, which `input.value` repeats. */
export const openInference: Convention = {
  attributes: {
    "openinference.span.kind": "type",
    "session.id": "session",
    "tag.tags": "tags",
    "agent.name": "agentName",
    "llm.response.model_name": "responseModel",
    "llm.model_name": "responseModel",
    "llm.request.model_name": "requestModel",
    "llm.token_count.prompt": "inputTokens",
    "llm.token_count.completion": "outputTokens",
    "llm.token_count.total": "totalTokens",
    "llm.token_count.prompt_details.cache_read": "cacheReadTokens",
    "llm.token_count.prompt_details.cache_write": "cacheWriteTokens",
    "llm.token_count.completion_details.reasoning": "reasoningTokens",
    "llm.cost.total": "costUsd",
    "llm.finish_reason": "asksForTools",
    "tool.name": "toolName",
    "input.value": "input",
    "output.value": "output",
  },
  flattened: {
    "llm.input_messages": "input",
    "llm.output_messages": "output",
    "llm.tools": "offered",
  },
};
