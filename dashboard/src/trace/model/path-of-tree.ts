import { type CriticalStretch, criticalPath } from "./critical-path.ts";
import type { SpanNode, TraceTree } from "./trace-tree.ts";

const paths = new WeakMap<TraceTree, Map<SpanNode, CriticalStretch>>();

/** A tree's critical path, found once however many look at it. */
export function pathOfTree(tree: TraceTree): Map<SpanNode, CriticalStretch> {
  const path = paths.get(tree) ?? criticalPath(tree.roots);
  paths.set(tree, path);
  return path;
}
