import type { DecisionPointType, Status } from "./traces/enums.ts";
import type { ModelCost } from "./traces/model-usage.ts";

/**
 * Metrics of the traces that started in a time range. A metric is null if no trace has a value for it; a sum ends at
 * ±Number.MAX_VALUE.
 */
export interface TraceMetrics {
  traces: Record<Status, number>;
  costUsd: number | null;
  tokens: number | null;
  durationP50Ms: number | null;
  durationP95Ms: number | null;
  durationP99Ms: number | null;
}

/** A time range; `from` is inclusive, `to` is exclusive. */
export interface StatsRange {
  from: string;
  to: string;
}

export interface TraceStats extends StatsRange {
  /** The length of a bucket, an hour or a day in UTC. */
  interval: "hour" | "day";
  buckets: (TraceMetrics & { start: string })[];
  total: TraceMetrics;
  /** The preceding time range of the same length. */
  before: TraceMetrics;
}

/** Spans or events that failed in the same way. */
export interface ErrorStat {
  name: string;
  /** The first 200 characters of the span's statusMessage; null if it has none, and for events. */
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

/** What the calls of one model used and cost, at one price. A sum ends at ±Number.MAX_VALUE. */
export interface ModelStat extends ModelCost {
  traces: number;
}
