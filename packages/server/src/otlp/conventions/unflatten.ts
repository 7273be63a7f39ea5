import type { OtlpValue } from "../decode/otlp-span.ts";

/** An object or array that is being built: keys are those of the attributes, also the indexes. */
interface Node {
  [key: string]: Node | OtlpValue;
}

/** OpenInference wraps each item of a list in an object with this one key. */
const WRAPPERS = new Set(["message", "message_content", "tool_call", "tool"]);

/** Deeper keys are merged: no convention has them. */
const MAX_DEPTH = 32;

/**
 * Builds the list that was flattened into attributes: `[["0.role", "user"], ["0.content", "Hello"]]` becomes
 * `[{ role: "user", content: "Hello" }]`. Indexes that are missing are left out.
 */
export function unflatten(entries: Iterable<readonly [path: string, value: OtlpValue]>): unknown[] {
  const root: Node = Object.create(null);
  for (const [path, value] of entries) {
    const keys = path.split(".", MAX_DEPTH);
    const last = keys.pop() ?? "";
    let node = root;
    for (const key of keys) {
      if (WRAPPERS.has(key)) continue;
      node[key] ??= Object.create(null);
      const next: Node | OtlpValue | undefined = node[key];
      // A key that has a value cannot have children, too: the sender contradicts itself.
      if (!isNode(next)) break;
      node = next;
    }
    node[last] = value;
  }
  const list = finished(root);
  return Array.isArray(list) ? list : [list];
}

const isNode = (value: Node | OtlpValue | undefined): value is Node =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;

function finished(node: Node): unknown {
  const entries = Object.entries(node).map(
    ([key, value]) => [key, isNode(value) ? finished(value) : value] as const,
  );
  // Integer keys of an object are in ascending order.
  return entries.every(([key]) => /^\d+$/.test(key))
    ? entries.map(([, value]) => value)
    : Object.fromEntries(entries);
}
