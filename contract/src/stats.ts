import type { DecisionPointType, Status } from "./traces/enums.ts";

/** Figures of the traces that started in a stretch of time; a figure that no trace has is null. */
export interface TraceMetrics {
  traces: Record<Status, number>;
  costUsd: number | null;
  tokens: number | null;
  durationP50Ms: number | null;
  durationP95Ms: number | null;
  durationP99Ms: number | null;
}

/** Which stretch a statistic is about: from inclusive, to exclusive. */
export interface StatsRange {
  from: string;
  to: string;
}

export interface TraceStats extends StatsRange {
  /** UTC hours or days. */
  interval: "hour" | "day";
  buckets: (TraceMetrics & { start: string })[];
  total: TraceMetrics;
  /** The stretch of the same length before it. */
  before: TraceMetrics;
}

/** Spans or events that failed in the same way. */
export interface ErrorStat {
  name: string;
  /** The first 200 characters; null for events and for spans that say nothing. */
  message: string | null;
  count: number;
  traces: number;
  lastAt: string;
  lastTraceId: string;
}

/** How often a choice was made, and how often its trace then ended in an error. */
export interface ChoiceStat {
  type: DecisionPointType;
  choice: string;
  count: number;
  failed: number;
}
