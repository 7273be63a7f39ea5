/* Looking into JSON that another program wrote: whatever is not as expected is simply not there. */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

export function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Of a tool's definition in the forms that providers use. */
export const toolNames = (tools: unknown): string[] =>
  (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const { name, type, function: inner, custom } = fieldsOf(tool);
    return (
      textOf(name) ?? textOf(fieldsOf(inner).name) ?? textOf(fieldsOf(custom).name) ?? textOf(type) ?? []
    );
  });
