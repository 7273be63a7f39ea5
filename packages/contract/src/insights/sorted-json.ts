/** A value that is nested deeper is not read, so that no input can exhaust the stack. */
const MAX_DEPTH = 32;

/** The JSON of a parsed value, with the keys of objects sorted: their order makes no difference. */
export function sortedJson(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (depth === MAX_DEPTH) return "…";
  if (Array.isArray(value)) return `[${value.map((one) => sortedJson(one, depth + 1)).join(",")}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, one]) => `${JSON.stringify(key)}:${sortedJson(one, depth + 1)}`).join(",")}}`;
}
