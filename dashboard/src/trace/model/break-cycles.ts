import type { SpanNode } from "./trace-tree.ts";

/** In each cycle of parents, makes the span that started first a root, so that every span is reachable. */
export function breakCycles(spans: SpanNode[]) {
  const visited = new Set<SpanNode>();
  for (const span of spans) {
    const path = new Set<SpanNode>();
    let node: SpanNode | null = span;
    while (node && !visited.has(node) && !path.has(node)) {
      path.add(node);
      node = node.parent;
    }
    if (node && path.has(node)) {
      const ancestors = [...path];
      const cycle = ancestors.slice(ancestors.indexOf(node));
      const first = cycle.reduce((a, b) => (b.startMs < a.startMs ? b : a));
      first.parent = null;
      first.parentError = "circular parent";
    }
    for (const seen of path) visited.add(seen);
  }
}
