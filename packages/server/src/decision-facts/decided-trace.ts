import type { ParsedDecisionPoint, ParsedEvent, ParsedSpan, ParsedTrace } from "@whytrace/contract";

/** What insights read of a trace. A parsed trace is one; instants are milliseconds since 1970. */
export interface DecidedTrace
  extends Pick<ParsedTrace, "name" | "tags" | "status" | "startedAt" | "endedAt" | "totalDuration"> {
  sessionId?: string | null;
  /** For whom the run was made. */
  userId?: string | null;
  serviceVersion?: string | null;
  spans: readonly DecidedSpan[];
  decisionPoints: readonly DecidedPoint[];
  events: readonly Pick<ParsedEvent, "type" | "name" | "spanId" | "timestamp">[];
}

export type DecidedSpan = Pick<
  ParsedSpan,
  | "id"
  | "parentSpanId"
  | "name"
  | "status"
  | "statusMessage"
  | "costUsd"
  | "durationMs"
  | "startedAt"
  | "endedAt"
> & {
  /** If it is absent, the span is taken for one that contains others. */
  type?: ParsedSpan["type"];
};

export type DecidedPoint = Pick<
  ParsedDecisionPoint,
  "type" | "chosen" | "alternatives" | "costUsd" | "parentSpanId" | "timestamp" | "inference"
> & {
  /** Set if the option was drawn at random. */
  probability?: number | null;
  /** Where it is stored in the trace, if that is not its index. */
  position?: number;
};

/** When a span ended, if that is known. */
export function endOf({
  startedAt,
  endedAt,
  durationMs,
}: Pick<DecidedSpan, "startedAt" | "endedAt" | "durationMs">): number | null {
  return endedAt ?? (durationMs === null ? null : startedAt + durationMs);
}
