import type { ParsedTrace } from "@whytrace/contract";

const toIso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Serialises traces as the body of `POST /api/traces`. */
export function writeBatch(traces: ParsedTrace[]): Buffer {
  return Buffer.from(JSON.stringify({ traces: traces.map(toWire) }));
}

const toWire = (trace: ParsedTrace) => ({
  ...trace,
  startedAt: toIso(trace.startedAt),
  endedAt: toIso(trace.endedAt),
  spans: trace.spans.map((span) => ({
    ...span,
    startedAt: toIso(span.startedAt),
    endedAt: toIso(span.endedAt),
  })),
  decisionPoints: trace.decisionPoints.map((decision) => ({
    ...decision,
    timestamp: toIso(decision.timestamp),
  })),
  events: trace.events.map((event) => ({ ...event, timestamp: toIso(event.timestamp) })),
});
