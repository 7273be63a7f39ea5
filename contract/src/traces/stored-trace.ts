import type { Status } from "./enums.ts";
import type { FieldValues } from "./field-values.ts";
import type { DECISION_POINT, EVENT, FieldType, SPAN, TRACE } from "./fields.ts";

/** Any JSON, exactly as it was sent. */
export type Json = unknown;

/** A field as a response holds it. */
interface StoredTypes extends Record<FieldType, unknown> {
  id: string;
  reference: string | null;
  name: string;
  text: string | null;
  number: number | null;
  instant: string;
  optionalInstant: string | null;
  tags: string[];
  json: Json;
  jsonArray: Json[];
  payload: Json;
}

/** The fields that the server adds to a trace. */
interface StoredTrace extends FieldValues<typeof TRACE, StoredTypes> {
  userId: string;
  createdAt: string;
}

/** A trace as lists show it. */
export interface TraceRow extends StoredTrace {
  _count: { decisionPoints: number; spans: number; events: number };
}

export interface Span extends FieldValues<typeof SPAN, StoredTypes> {}
export interface DecisionPoint extends FieldValues<typeof DECISION_POINT, StoredTypes> {}
export interface TraceEvent extends FieldValues<typeof EVENT, StoredTypes> {}

/** One trace with everything in it. */
export interface WholeTrace extends StoredTrace {
  spans: Span[];
  decisionPoints: DecisionPoint[];
  events: TraceEvent[];
}

/** A decision point as the list of all decisions shows it. */
export interface DecisionRow extends DecisionPoint {
  traceId: string;
  trace: { id: string; name: string; status: Status; startedAt: string };
}

/** The traces that share a sessionId, added up. */
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

/** The position of a page in its list. */
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
