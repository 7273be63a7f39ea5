import type { ParsedTrace } from "@whytrace/contract";

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Traces as the body of `POST /api/traces`. */
export function writeBatch(traces: ParsedTrace[]): Buffer {
  return Buffer.from(JSON.stringify({ traces: traces.map(onTheWire) }));
}

const onTheWire = (trace: ParsedTrace) => ({
  ...trace,
  startedAt: instant(trace.startedAt),
  endedAt: instant(trace.endedAt),
  spans: trace.spans.map((span) => ({
    ...span,
    startedAt: instant(span.startedAt),
    endedAt: instant(span.endedAt),
  })),
  decisionPoints: trace.decisionPoints.map((decision) => ({
    ...decision,
    timestamp: instant(decision.timestamp),
  })),
  events: trace.events.map((event) => ({ ...event, timestamp: instant(event.timestamp) })),
});
