/** What places a record in the tree of its trace. */
interface PlacedSpan {
  id: string;
  parentSpanId: string | null;
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
  | { kind: "span"; span: Span }
  | { kind: "event"; event: Event }
);

/** Within the same millisecond, a decision comes before the spans it led to, and an event after them. */
const RANK = { decision: 0, span: 1, event: 2 } as const;

/** The nodes of a trace by the id of the span that contains them, in order of time. The roots are under null. */
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
}): Map<string | null, TraceNode<Span, Decision, Event>[]> {
  const parents = parentsOf(spans);
  const children = new Map<string | null, TraceNode<Span, Decision, Event>[]>();
  const add = (parent: string | null, node: TraceNode<Span, Decision, Event>) => {
    // A node whose parent was not sent becomes a root, so that it is shown.
    const key = parent !== null && parents.has(parent) ? parent : null;
    const siblings = children.get(key);
    if (siblings) siblings.push(node);
    else children.set(key, [node]);
  };
  for (const span of spans)
    add(parents.get(span.id) ?? null, { kind: "span", at: Date.parse(span.startedAt), span });
  for (const decision of decisionPoints)
    add(decision.parentSpanId, { kind: "decision", at: Date.parse(decision.timestamp), decision });
  for (const event of events) add(event.spanId, { kind: "event", at: Date.parse(event.timestamp), event });
  for (const siblings of children.values())
    siblings.sort((one, other) => one.at - other.at || RANK[one.kind] - RANK[other.kind]);
  return children;
}

/** The parent of each span. If spans contain each other in a circle, the first one that is sent becomes a root. */
function parentsOf(spans: PlacedSpan[]): Map<string, string | null> {
  const parents = new Map(spans.map(({ id, parentSpanId }) => [id, parentSpanId]));
  const isRooted = new Set<string>();
  for (const { id } of spans) {
    const path = new Set<string>();
    let current: string | null | undefined = id;
    while (typeof current === "string" && !isRooted.has(current) && !path.has(current)) {
      path.add(current);
      current = parents.get(current);
    }
    if (typeof current === "string" && path.has(current)) parents.set(current, null);
    for (const one of path) isRooted.add(one);
  }
  return parents;
}
