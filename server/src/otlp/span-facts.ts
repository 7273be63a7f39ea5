import type { SpanType, Status } from "@whytrace/contract";

/**
 * What a trace and its decisions are derived from, for each span. It is stored as JSON, so that the derivation can be
 * repeated when more spans of the trace come, without reading their payloads.
 */
export interface SpanFacts {
  id: string;
  parentId: string | null;
  type: SpanType;
  status: Status;
  startMs: number;
  endMs: number;
  tokens: number | null;
  costUsd: number | null;
}

/** What a log record says about its span. It is stored as JSON, too, perhaps before its span has come. */
export interface LogFacts {
  spanId: string;
  timeMs: number;
}
