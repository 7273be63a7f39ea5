import type { Convention } from "./convention.ts";

/** Claude Code and the Claude Agent SDK. Their names have no prefix, and `input_tokens` leaves out what was cached. */
export const claudeCode: Convention = {
  attributes: {
    model: "bareModel",
    input_tokens: "uncachedInputTokens",
    output_tokens: "outputTokens",
    cache_read_tokens: "cacheReadTokens",
    cache_creation_tokens: "cacheWriteTokens",
    stop_reason: "asksForTools",
    tool_name: "toolName",
    tool_use_id: "callId",
    request_id: "callId",
    success: "isFailed",
    error: "errorMessage",
    user_prompt: "input",
  },
};
