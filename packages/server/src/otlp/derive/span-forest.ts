import { NO_SPAN, SpanTree } from "@whytrace/contract";
import type { SpanFacts } from "../map/span-facts.ts";

/** A span among the spans of its trace. */
export interface SpanNode {
  facts: SpanFacts;
  /** Its place in the order of all spans. */
  index: number;
  /** Undefined for a root, for a span whose parent has not come, and for the first span of a cycle of parents. */
  parent: SpanNode | undefined;
  /** In order, as are `siblings`. */
  children: SpanNode[];
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
 * or run in cycles, and chains may be as long as the trace, so nothing here recurses.
 */
export function buildForest(spans: Iterable<SpanFacts>): SpanForest {
  const sorted = [...spans].sort(
    (a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  const tree = new SpanTree(
    sorted.map(({ id, parentId = null, startMs }) => ({ id, parentSpanId: parentId, startedAt: startMs })),
  );
  const byParent = new Map<string | null, SpanNode[]>();
  const nodes = sorted.map((facts, index): SpanNode => {
    const siblings = byParent.get(facts.parentId ?? null) ?? [];
    const node: SpanNode = { facts, index, parent: undefined, children: [], siblings };
    siblings.push(node);
    byParent.set(facts.parentId ?? null, siblings);
    return node;
  });
  for (const node of nodes) {
    node.parent = nodes[tree.parent[node.index] ?? NO_SPAN];
    node.parent?.children.push(node);
  }
  return { nodes, childrenFirst: childrenFirst(nodes) };
}

/** Takes spans whose children have all been taken. */
function childrenFirst(nodes: readonly SpanNode[]): SpanNode[] {
  const waitsFor = nodes.map(({ children }) => children.length);
  const order = nodes.filter(({ children }) => children.length === 0);
  for (const { parent } of order) {
    if (!parent) continue;
    const rest = (waitsFor[parent.index] ?? 0) - 1;
    waitsFor[parent.index] = rest;
    if (rest === 0) order.push(parent);
  }
  return order;
}
