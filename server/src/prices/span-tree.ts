import type { SpanType } from "@whytrace/contract";

export interface TreeSpan {
  id: string;
  parentSpanId: string | null;
  type: SpanType;
}

export interface SpanNode<Span> {
  span: Span;
  /** Undefined for a root. */
  parent: SpanNode<Span> | undefined;
  children: SpanNode<Span>[];
}

export interface SpanTree<Span> {
  /** Spans without a parent in the trace. Of spans that are each other's ancestors, the first one counts as a root. */
  roots: SpanNode<Span>[];
  /** Every span once, parents before their children. */
  topDown: SpanNode<Span>[];
}

/** The tree of a trace's spans. Works without recursion: a chain of spans may be tens of thousands long. */
export function spanTree<Span extends TreeSpan>(spans: readonly Span[]): SpanTree<Span> {
  const nodes = new Map(
    spans.map((span): [string, SpanNode<Span>] => [span.id, { span, parent: undefined, children: [] }]),
  );
  const all = [...nodes.values()];
  const roots: SpanNode<Span>[] = [];
  for (const node of all) {
    const parent = node.span.parentSpanId === null ? undefined : nodes.get(node.span.parentSpanId);
    if (parent) parent.children.push(node);
    else roots.push(node);
  }
  const topDown: SpanNode<Span>[] = [];
  const seen = new Set<SpanNode<Span>>();
  const visit = (root: SpanNode<Span>) => {
    const next = [root];
    seen.add(root);
    for (let node = next.pop(); node; node = next.pop()) {
      topDown.push(node);
      node.children = node.children.filter((child) => !seen.has(child));
      for (const child of node.children) {
        seen.add(child);
        child.parent = node;
      }
      for (const child of node.children.toReversed()) next.push(child);
    }
  };
  for (const root of roots) visit(root);
  if (topDown.length < all.length)
    for (const node of all)
      if (!seen.has(node)) {
        roots.push(node);
        visit(node);
      }
  return { roots, topDown };
}
