import { type JsonObject, nonEmptyString, parseJson } from "./read-json.ts";

export interface ToolCall {
  name: string;
  input: unknown;
  /** The MCP server, namespace or toolset that offers the tool. The request names only this group. */
  toolset?: string | undefined;
}

/** Whether an item of an OpenAI response is a call of a tool. */
export const isToolCall = ({ type }: JsonObject): boolean =>
  typeof type === "string" && type.endsWith("_call");

/** Reads an item for which `isToolCall` is true. */
export function itemCall(item: JsonObject): ToolCall {
  const { name, type, arguments: json, input, action, queries, code, server_label, namespace } = item;
  return {
    // A built-in tool such as web search has a type but no name.
    name: nonEmptyString(name) ?? String(type).replace(/_call$/, ""),
    input: json === undefined ? (input ?? action ?? queries ?? code) : parseJson(json),
    toolset: nonEmptyString(server_label) ?? nonEmptyString(namespace),
  };
}

/** Returns the name under which a called tool was offered, or undefined if it was not offered. */
export function offeredName(
  { name, toolset = name }: ToolCall,
  offered: readonly string[],
): string | undefined {
  return (
    offered.find((one) => one === name) ??
    offered.find((one) => one === toolset) ??
    offered.find((one) => builtInName(one) === builtInName(toolset))
  );
}

/**
 * Providers call some built-in tools by another name than the one they are offered under: web_search_preview is called
 * web_search, computer_use_preview is called computer, and code_execution is called bash_code_execution.
 */
const builtInName = (name: string) =>
  name
    .replace(/(_use)?(_preview|_toolset)?(_\d{4}_?\d{2}_?\d{2})?$/, "")
    .replace(/^(bash|text_editor)_(?=code_execution$)/, "");
