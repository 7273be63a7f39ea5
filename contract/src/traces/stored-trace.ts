import type { DecisionPointType, EventType, SpanType, Status } from "./trace.ts";

/** Any JSON, exactly as it was sent. */
export type Json = unknown;

/** A trace as lists show it. */
export interface TraceRow {
  id: string;
  userId: string;
  name: string;
  sessionId: string | null;
  status: Status;
  tags: string[];
  metadata: Json;
  totalCost: number | null;
  totalTokens: number | null;
  totalDuration: number | null;
  startedAt: string;
  endedAt: string | null;
  createdAt: string;
  _count: { decisionPoints: number; spans: number; events: number };
}

export interface Span {
  id: string;
  parentSpanId: string | null;
  name: string;
  type: SpanType;
  input: Json;
  output: Json;
  tokenCount: number | null;
  costUsd: number | null;
  durationMs: number | null;
  status: Status;
  statusMessage: string | null;
  startedAt: string;
  endedAt: string | null;
  metadata: Json;
}

export interface DecisionPoint {
  id: string;
  type: DecisionPointType;
  reasoning: string | null;
  chosen: Json;
  alternatives: Json[];
  contextSnapshot: Json;
  durationMs: number | null;
  costUsd: number | null;
  parentSpanId: string | null;
  timestamp: string;
}

export interface TraceEvent {
  id: string;
  spanId: string | null;
  type: EventType;
  name: string;
  metadata: Json;
  timestamp: string;
}

/** One trace with everything in it. */
export interface WholeTrace extends Omit<TraceRow, "_count"> {
  spans: Span[];
  decisionPoints: DecisionPoint[];
  events: TraceEvent[];
}

/** A decision point as the list of all decisions shows it. */
export interface DecisionRow extends DecisionPoint {
  traceId: string;
  trace: { id: string; name: string; status: Status; startedAt: string };
}

/** The traces that share a sessionId, taken together. */
export interface AgentSession {
  sessionId: string;
  traceCount: number;
  totalCost: number | null;
  totalTokens: number | null;
  totalDuration: number | null;
  firstStartedAt: string;
  lastStartedAt: string;
  /** ERROR if any trace failed, else RUNNING if any still runs. */
  status: Status;
}

/** Where a page stands in its list. */
export interface PageInfo {
  total: number;
  page: number;
  limit: number;
  totalPages: number;
}

export const TRACE_SORTS = ["newest", "oldest", "longest", "shortest", "costliest"] as const;
export const DECISION_SORTS = ["newest", "oldest", "costliest"] as const;
export type TraceSort = (typeof TRACE_SORTS)[number];
export type DecisionSort = (typeof DECISION_SORTS)[number];
