import { type CriticalSegment, criticalPath } from "./critical-path.ts";
import type { SpanNode, TraceTree } from "./trace-tree.ts";

const cache = new WeakMap<TraceTree, Map<SpanNode, CriticalSegment>>();

/** A tree's critical path, computed once per tree. */
export function cachedCriticalPath(tree: TraceTree): Map<SpanNode, CriticalSegment> {
  const path = cache.get(tree) ?? criticalPath(tree.roots);
  cache.set(tree, path);
  return path;
}
