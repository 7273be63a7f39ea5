import type { DemoTrace } from "./demo-trace.ts";
import { totalsOf } from "./simulated-run.ts";

/** The state of the trace at a time during the run: still RUNNING, without what happened later. */
export function snapshotAt(trace: DemoTrace, instantMs: number): DemoTrace {
  const isPast = (instant: string) => Date.parse(instant) <= instantMs;
  const spans = trace.spans
    .filter((span) => isPast(span.startedAt))
    .map((span) => (span.endedAt !== null && isPast(span.endedAt) ? span : { ...span, ...UNFINISHED }));
  return {
    ...trace,
    status: "RUNNING",
    endedAt: null,
    totalDuration: null,
    ...totalsOf(spans),
    spans,
    decisionPoints: trace.decisionPoints.filter((decision) => isPast(decision.timestamp)),
    events: trace.events.filter((event) => isPast(event.timestamp)),
  };
}

const UNFINISHED = {
  status: "RUNNING",
  statusMessage: null,
  endedAt: null,
  durationMs: null,
  output: null,
  costUsd: null,
  tokenCount: null,
} as const;
