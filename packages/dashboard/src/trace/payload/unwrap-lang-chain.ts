import { asRecord } from "./as-record.ts";

const ROLES: Readonly<Record<string, string>> = {
  Human: "user",
  AI: "assistant",
  System: "system",
  Tool: "tool",
  Function: "tool",
};

/** A message that LangChain serialized, as a message with a role; undefined for anything else. */
export function unwrapLangChain(value: unknown): Record<string, unknown> | undefined {
  const record = asRecord(value);
  const kwargs = asRecord(record?.kwargs);
  const path = record?.id;
  if (!kwargs || !Array.isArray(path)) return undefined;
  const role = ROLES[/^(\w+?)Message/.exec(String(path.at(-1)))?.[1] ?? ""];
  if (role === undefined) return undefined;
  const { content, name, tool_call_id, tool_calls, additional_kwargs } = kwargs;
  const calls =
    Array.isArray(tool_calls) && tool_calls.length > 0 ? tool_calls : asRecord(additional_kwargs)?.tool_calls;
  return { role, content, name, tool_call_id, tool_calls: calls };
}
