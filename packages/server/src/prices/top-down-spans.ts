import { NO_SPAN, SpanTree, type SpanType, type TreeSpan } from "@whytrace/contract";

export interface TypedSpan extends TreeSpan {
  type: SpanType;
}

export interface SpanNode<Span> {
  span: Span;
  /** Undefined for a root. */
  parent: SpanNode<Span> | undefined;
}

/** The spans of a trace, each before those inside it. */
export function topDownSpans<Span extends TypedSpan>(spans: readonly Span[]): SpanNode<Span>[] {
  const tree = new SpanTree(spans);
  const nodes = spans.map((span): SpanNode<Span> => ({ span, parent: undefined }));
  for (const [index, node] of nodes.entries()) node.parent = nodes[tree.parent[index] ?? NO_SPAN];
  return Array.from(tree.topDown()).flatMap((index) => nodes[index] ?? []);
}
