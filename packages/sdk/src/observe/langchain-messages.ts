import { asArray, asObject } from "./read-json.ts";

/** Messages nested more deeply in a chain's input or output are not converted. */
const MAX_MESSAGE_DEPTH = 6;

/** Converts LangChain's message objects to plain objects with role and content. */
export function toPlainMessages(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_MESSAGE_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => toPlainMessages(one, depth + 1));
  const message = value as { getType?: unknown; _getType?: unknown; content?: unknown };
  const type = typeof message.getType === "function" ? message.getType : message._getType;
  if (typeof type !== "function") {
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    return isPlain
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlainMessages(one, depth + 1)]))
      : value;
  }
  const { tool_calls, tool_call_id, name } = asObject(value);
  return {
    role: String(type.call(value)),
    content: message.content,
    ...(asArray(tool_calls).length > 0 && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(name !== undefined && { name }),
  };
}
