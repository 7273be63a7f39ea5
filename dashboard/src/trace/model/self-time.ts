import type { SpanNode } from "./trace-tree.ts";

/** How long a span worked while none of its children did. */
export function selfTimeMs(node: SpanNode): number {
  let coveredMs = 0;
  let cursorMs = node.startMs;
  // Children are in the order of their start.
  for (const child of node.children) {
    if (child.kind !== "span") continue;
    const fromMs = Math.max(cursorMs, child.startMs);
    const toMs = Math.min(node.endMs, child.endMs);
    if (toMs <= fromMs) continue;
    coveredMs += toMs - fromMs;
    cursorMs = toMs;
  }
  return node.endMs - node.startMs - coveredMs;
}
