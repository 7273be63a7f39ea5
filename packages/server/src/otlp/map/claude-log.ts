import { toolsOfRequest } from "../conventions/offered-tools.ts";
import { asText, parsed } from "../decode/attribute-value.ts";
import type { Attributes, OtlpLogRecord } from "../decode/otlp-span.ts";
import { textKey } from "../decode/text-key.ts";
import type { LogContent } from "./span-facts.ts";

/** Claude Code's spans have neither the input of tools, nor what the model said, nor the tools that it could call. */
const READERS = new Map<unknown, (attributes: Attributes) => LogContent | undefined>([
  ["claude_code.tool_result", toolInput],
  ["claude_code.assistant_response", answer],
  ["claude_code.api_request_body", offer],
]);

export const isClaudeLog = ({ body }: OtlpLogRecord): boolean => READERS.has(body);

/** What a log record of Claude Code says. Records name the span of the agent, or of a subagent, and calls by their ids. */
export function claudeLog({ body, attributes }: OtlpLogRecord): LogContent | undefined {
  return READERS.get(body)?.(attributes);
}

function toolInput(attributes: Attributes): LogContent | undefined {
  const callId = asText(attributes.get("tool_use_id"));
  const input = parsed(attributes.get("tool_input") ?? null);
  return callId === undefined || input === null ? undefined : { callId: textKey(callId), input };
}

/** Stands for an answer unless OTEL_LOG_USER_PROMPTS is set. */
const REDACTED = "<REDACTED>";

function answer(attributes: Attributes): LogContent | undefined {
  const callId = asText(attributes.get("request_id"));
  const content = asText(attributes.get("response"));
  if (callId === undefined || content === undefined || content === REDACTED) return undefined;
  return { callId: textKey(callId), choice: { role: "assistant", content } };
}

/** Stands for tools that the model has to load first. */
const PLACEHOLDER = "DeferredToolPlaceholder";

/**
 * The tools are offered to all calls of the agent. A request that has none is not one of the agent, such as the one for the
 * session's title; a long request is cut off, and says nothing.
 */
function offer(attributes: Attributes): LogContent | undefined {
  const offered = (toolsOfRequest(parsed(attributes.get("body") ?? null)) ?? [])
    .filter((name) => name !== PLACEHOLDER)
    .map(withoutServer);
  return offered.length > 0 ? { offered } : undefined;
}

/** The spans of tools of MCP servers do not have the server in their names. */
const withoutServer = (name: string) => name.replace(/^mcp__.+?__/, "");
