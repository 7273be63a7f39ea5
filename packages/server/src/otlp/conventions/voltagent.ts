import type { Convention } from "./convention.ts";

/** `span.type` is Claude Code's, too. `entity.type` is on all spans, so it counts only where `span.type` says nothing. */
export const voltAgent: Convention = {
  attributes: {
    "span.type": "type",
    "entity.type": "type",
    "conversation.id": "session",
    "llm.model": "requestModel",
    "ai.model.name": "requestModel",
    "llm.usage.prompt_tokens": "inputTokens",
    "llm.usage.completion_tokens": "outputTokens",
    "llm.usage.cached_tokens": "cacheReadTokens",
    "llm.usage.reasoning_tokens": "reasoningTokens",
    "usage.prompt_tokens": "inputTokens",
    "usage.completion_tokens": "outputTokens",
    "usage.total_tokens": "totalTokens",
    "usage.cached_tokens": "cacheReadTokens",
    "usage.reasoning_tokens": "reasoningTokens",
    "llm.tools": "offered",
    "memory.operation": "memoryOperation",
    "llm.messages": "input",
    input: "input",
    output: "output",
  },
};
