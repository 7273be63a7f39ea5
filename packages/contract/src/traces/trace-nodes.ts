import { NO_SPAN, SpanTree, type TreeSpan } from "./span-tree.ts";

/** What places a record in the tree of its trace. */
interface PlacedSpan extends TreeSpan {
  startedAt: string;
}
interface PlacedDecision {
  parentSpanId: string | null;
  timestamp: string;
}
interface PlacedEvent {
  spanId: string | null;
  timestamp: string;
}

export type TraceNode<
  Span extends PlacedSpan = PlacedSpan,
  Decision extends PlacedDecision = PlacedDecision,
  Event extends PlacedEvent = PlacedEvent,
> = { at: number } & (
  | { kind: "decision"; decision: Decision }
  | { kind: "span"; span: Span; children: TraceNode<Span, Decision, Event>[] }
  | { kind: "event"; event: Event }
);

/** Within the same millisecond, a decision comes before the spans it led to, and an event after them. */
const RANK = { decision: 0, span: 1, event: 2 } as const;

/** The nodes of a trace as a tree, in order of time. What names a span that was not sent is a root, so that it is shown. */
export function traceNodes<
  Span extends PlacedSpan,
  Decision extends PlacedDecision,
  Event extends PlacedEvent,
>({
  spans,
  decisionPoints,
  events,
}: {
  spans: Span[];
  decisionPoints: Decision[];
  events: Event[];
}): TraceNode<Span, Decision, Event>[] {
  type Node = TraceNode<Span, Decision, Event>;
  const tree = new SpanTree(spans);
  const roots: Node[] = [];
  const inside: Node[][] = spans.map(() => []);
  const add = (parent: number, node: Node) => (inside[parent] ?? roots).push(node);
  for (const [index, span] of spans.entries())
    add(tree.parent[index] ?? NO_SPAN, {
      kind: "span",
      at: Date.parse(span.startedAt),
      span,
      children: inside[index] ?? [],
    });
  for (const decision of decisionPoints)
    add(tree.find(decision.parentSpanId), {
      kind: "decision",
      at: Date.parse(decision.timestamp),
      decision,
    });
  for (const event of events)
    add(tree.find(event.spanId), { kind: "event", at: Date.parse(event.timestamp), event });
  for (const siblings of [roots, ...inside])
    siblings.sort((one, other) => one.at - other.at || RANK[one.kind] - RANK[other.kind]);
  return roots;
}
