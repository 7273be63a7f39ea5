import { asRecord } from "./as-record.ts";

/** The type that a part has whose kind is its key: `{ "functionCall": { … } }`, as Gemini, Bedrock and Genkit write. */
const TYPES: Readonly<Record<string, string>> = {
  functionCall: "tool_call",
  functionResponse: "tool_call_response",
  toolUse: "tool_call",
  toolResult: "tool_call_response",
  toolRequest: "tool_call",
  toolResponse: "tool_call_response",
  reasoning: "reasoning",
  reasoningContent: "reasoning",
};

/** A part that says its kind in a type, from one that says it in a key or in a mark; others are returned as they are. */
export function unwrapPart(part: Record<string, unknown>): Record<string, unknown> {
  if (typeof part.type === "string") return part;
  if (part.thought === true) return { ...part, type: "reasoning" };
  for (const [key, type] of Object.entries(TYPES)) {
    const inner = part[key];
    if (typeof inner === "string") return { type, text: inner };
    const record = asRecord(inner);
    if (record) return { ...record, ...asRecord(record.reasoningText), type };
  }
  return part;
}
