import type { SpanFacts } from "./span-facts.ts";

/** A span among the spans of its trace. */
export interface SpanNode {
  facts: SpanFacts;
  /** Its place in the order of all spans. */
  index: number;
  /** Undefined for a root, for a span whose parent has not come, and for one span of each loop of parents. */
  parent: SpanNode | undefined;
  /** In order, as are `siblings`. */
  children: readonly SpanNode[];
  /** The spans with the same parent, also if it has not come. The span itself is one of them. */
  siblings: readonly SpanNode[];
}

export interface SpanForest {
  /** By their start, then by their end: JavaScript's SDK rounds starts to milliseconds. */
  nodes: readonly SpanNode[];
  /** The same spans, each before its parent. */
  childrenFirst: readonly SpanNode[];
}

/**
 * Arranges the spans of a trace. The result does not depend on the order in which they are given. Parents may be missing
 * or run in loops, and chains may be as long as the trace, so nothing here recurses.
 */
export function buildForest(spans: Iterable<SpanFacts>): SpanForest {
  const sorted = [...spans].sort(
    (a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  const byParent = new Map<string | null, SpanNode[]>();
  const nodes = sorted.map((facts, index): SpanNode => {
    const siblings = byParent.get(facts.parentId ?? null) ?? [];
    const node: SpanNode = { facts, index, parent: undefined, children: [], siblings };
    siblings.push(node);
    byParent.set(facts.parentId ?? null, siblings);
    return node;
  });
  const byId = new Map(nodes.map((node) => [node.facts.id, node]));
  for (const node of nodes) {
    node.parent = node.facts.parentId ? byId.get(node.facts.parentId) : undefined;
    node.children = byParent.get(node.facts.id) ?? [];
  }
  return { nodes, childrenFirst: childrenFirst(nodes) };
}

/** Takes spans whose children have all been taken. What is left are loops, each of which is opened at its first span. */
function childrenFirst(nodes: readonly SpanNode[]): SpanNode[] {
  const waitsFor = nodes.map(({ children }) => children.length);
  const order = nodes.filter(({ children }) => children.length === 0);
  for (const { parent } of order) {
    if (!parent) continue;
    const rest = (waitsFor[parent.index] ?? 0) - 1;
    waitsFor[parent.index] = rest;
    if (rest === 0) order.push(parent);
  }
  if (order.length === nodes.length) return order;
  const taken = new Set(order);
  for (const first of nodes) {
    if (taken.has(first)) continue;
    for (let node = first.parent; node && node !== first; node = node.parent) {
      order.push(node);
      taken.add(node);
    }
    first.parent = undefined;
    order.push(first);
    taken.add(first);
  }
  return order;
}
