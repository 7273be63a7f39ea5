import type { SpanNode } from "./trace-tree.ts";

/** Where parents run in a circle, the span that began first becomes a root, so that every span is reachable. */
export function breakCycles(spans: SpanNode[]) {
  const settled = new Set<SpanNode>();
  for (const span of spans) {
    const walk = new Set<SpanNode>();
    let node: SpanNode | null = span;
    while (node && !settled.has(node) && !walk.has(node)) {
      walk.add(node);
      node = node.parent;
    }
    if (node && walk.has(node)) {
      const circle = [...walk];
      const members = circle.slice(circle.indexOf(node));
      const first = members.reduce((a, b) => (b.startMs < a.startMs ? b : a));
      first.parent = null;
      first.fault = "parent loop";
    }
    for (const seen of walk) settled.add(seen);
  }
}
