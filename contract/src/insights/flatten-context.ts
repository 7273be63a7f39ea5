/**
 * The values of a context snapshot by their path, such as "order.total", each as JSON. Numbers stay as they were sent. A
 * list of plain values is one value. Empty if there is no snapshot or it is not JSON.
 */
export function flattenContext(json: string | null): Map<string, string> {
  const values = new Map<string, string>();
  const add = (path: string, value: unknown) => {
    const children = childrenOf(value);
    if (children.length === 0) values.set(path, writeValue(value));
    for (const [key, child] of children) add(path === "" ? key : `${path}.${key}`, child);
  };
  const parsed = parseExact(json);
  if (parsed !== undefined && parsed !== null) add("", parsed);
  return values;
}

/** A number as it was sent: JavaScript would write 84.50 as 84.5 and round large integers. */
class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

function parseExact(json: string | null): unknown {
  if (json === null) return undefined;
  try {
    return JSON.parse(json, (_key, value, context?: { source?: string }) =>
      typeof value === "number" && context?.source !== undefined ? new ExactNumber(context.source) : value,
    );
  } catch {
    return undefined;
  }
}

const isPlain = (value: unknown) =>
  typeof value !== "object" || value === null || value instanceof ExactNumber;

function childrenOf(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || isPlain(value)) return [];
  if (Array.isArray(value) && value.every(isPlain)) return [];
  return Object.entries(value);
}

/** Writes a value without children. */
function writeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(", ")}]`;
  return value instanceof ExactNumber ? value.source : (JSON.stringify(value) ?? "null");
}
