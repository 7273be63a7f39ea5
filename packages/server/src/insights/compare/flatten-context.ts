import { hash53, MAX_CONTEXT_VALUES } from "@whytrace/contract";

interface FlatContext {
  values: Map<string, string>;
  /** Whether it has more values than these, or is nested so deep that it cannot be read. */
  isTruncated: boolean;
}

/** V8 hashes texts of 16 KiB and more by their length alone: long paths of one length would all share a slot of a Map. */
const MAX_PATH_LENGTH = 200;

/**
 * The first values of a context snapshot by their path, such as "order.total", each as JSON. Numbers stay as they were sent. A
 * list of plain values is one value. A long path is its beginning and a hash. Empty if there is no snapshot.
 */
export function flattenContext(json: string | null): FlatContext {
  const values = new Map<string, string>();
  const parsed = json === null ? null : parseExact(json);
  if (parsed === undefined) return { values, isTruncated: true };
  // What is left to add, the first on top: snapshots may be nested deeper than calls can be.
  const open: [path: string, value: unknown][] = parsed === null ? [] : [["", parsed]];
  for (let next = open.pop(); next; next = open.pop()) {
    if (values.size === MAX_CONTEXT_VALUES) return { values, isTruncated: true };
    const [path, value] = next;
    const children = childrenOf(value);
    if (children.length === 0) values.set(path, writeValue(value));
    // Each child has at least one value: more of them would not be reached.
    const reached = children.slice(0, MAX_CONTEXT_VALUES + 1 - values.size);
    for (const [key, child] of reached.reverse())
      open.push([shorten(path === "" ? key : `${path}.${key}`), child]);
  }
  return { values, isTruncated: false };
}

const shorten = (path: string) =>
  path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}… (${hash53(path).toString(16)})` : path;

/** A number as it was sent: JavaScript would write 84.50 as 84.5 and round large integers. */
class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Undefined if it cannot be parsed: a snapshot of a few thousand levels exhausts the stack. */
function parseExact(json: string): unknown {
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
