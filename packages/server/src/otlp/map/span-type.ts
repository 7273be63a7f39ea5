import type { SpanType } from "@whytrace/contract";
import type { Slots } from "../conventions/slots.ts";
import type { OtlpSpan } from "../decode/otlp-span.ts";

/** What a span is, from the first source that says it: a written type, a kind, then what the span mentions. */
export function spanType(slots: Partial<Slots>, span: OtlpSpan): SpanType {
  if (slots.writtenType ?? slots.type) return slots.writtenType ?? slots.type ?? "CUSTOM";
  if (slots.isLoopCycle) return "CHAIN";
  if (slots.toolName !== undefined) return "TOOL_CALL";
  if (slots.responseModel !== undefined || slots.requestModel !== undefined) return "LLM_CALL";
  if (slots.isDatabase || hasDatabaseEvent(span)) return "MEMORY_OP";
  return typeByName(span.name);
}

export const hasDatabaseEvent = ({ events }: OtlpSpan) =>
  events.some(({ name }) => name.startsWith("db.query."));

/** Google's ADK has spans without attributes. */
function typeByName(name: string): SpanType {
  if (name.startsWith("execute_tool ")) return "TOOL_CALL";
  if (name.startsWith("invoke_agent ")) return "AGENT";
  if (name === "call_llm") return "LLM_CALL";
  return name === "invocation" ? "CHAIN" : "CUSTOM";
}
