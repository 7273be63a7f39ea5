import { absentFields, DECISION_POINT, EVENT, type SentTrace, SPAN, TRACE } from "@whytrace/contract";
import type { SimulatedRun } from "./simulate-run.ts";

/** A simulated run as a client sends it. */
export function sentTrace(
  { status, totalDuration, endedAt, spans, decisionPoints, events }: SimulatedRun,
  { startedAtMs, ...given }: { id: string; name: string; tags?: string[]; startedAtMs: number },
): SentTrace {
  const instant = (ms: number) => new Date(startedAtMs + ms).toISOString();
  return {
    ...absentFields(TRACE),
    tags: [],
    ...given,
    status,
    totalDuration,
    startedAt: instant(0),
    endedAt: instant(endedAt),
    spans: spans.map((span) => ({
      ...absentFields(SPAN),
      ...span,
      startedAt: instant(span.startedAt),
      endedAt: instant(span.endedAt),
    })),
    decisionPoints: decisionPoints.map((decision) => ({
      ...absentFields(DECISION_POINT),
      ...decision,
      timestamp: instant(decision.timestamp),
    })),
    events: events.map((event) => ({
      ...absentFields(EVENT),
      ...event,
      timestamp: instant(event.timestamp),
    })),
  };
}
