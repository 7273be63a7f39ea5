/* Readers for JSON of other libraries: a value of an unexpected type counts as missing. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null ? (value as JsonObject) : {};
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const nonEmptyString = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
export const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

export function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The message of an error that a provider describes in `error` or, in some streams, in the event itself. */
export function errorText(body: unknown): string | undefined {
  const { error, message, code } = asObject(body);
  const { message: inner, type, code: innerCode } = asObject(error);
  return [inner, error, message, type, innerCode, code]
    .map(nonEmptyString)
    .find((text) => text !== undefined);
}

/** Names of tools, read from the definitions of all supported providers. */
export const toolNames = (tools: unknown): string[] =>
  (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const { name, type, function: inner, custom, server_label, mcp_server_name } = asObject(tool);
    return (
      nonEmptyString(name) ??
      nonEmptyString(server_label) ??
      nonEmptyString(mcp_server_name) ??
      nonEmptyString(asObject(inner).name) ??
      nonEmptyString(asObject(custom).name) ??
      nonEmptyString(type) ??
      []
    );
  });
