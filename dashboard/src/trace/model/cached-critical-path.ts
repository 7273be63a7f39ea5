import { type CriticalSegment, criticalPath } from "./critical-path.ts";
import type { SpanNode, TraceTree } from "./trace-tree.ts";

const paths = new WeakMap<TraceTree, Map<SpanNode, CriticalSegment>>();

/** A tree's critical path, found once however many look at it. */
export function cachedCriticalPath(tree: TraceTree): Map<SpanNode, CriticalSegment> {
  const path = paths.get(tree) ?? criticalPath(tree.roots);
  paths.set(tree, path);
  return path;
}
