import type { SpanNode } from "./trace-tree.ts";

/** A span's duration minus the time in which a child span was running. */
export function selfTimeMs(node: SpanNode): number {
  let coveredMs = 0;
  let cursorMs = node.startMs;
  // Children are sorted by start.
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
