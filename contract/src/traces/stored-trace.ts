import type { Status } from "./enums.ts";
import type { FieldValues } from "./field-values.ts";
import type { DECISION_POINT, EVENT, FieldType, SPAN, TRACE } from "./fields.ts";
import type { ModelUsage } from "./model-usage.ts";

/** Any JSON, exactly as sent. */
export type Json = unknown;

/** The TypeScript type of each field type in a response. */
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

/** A trace with the fields that the server adds. */
interface StoredTrace extends FieldValues<typeof TRACE, StoredTypes> {
  userId: string;
  createdAt: string;
}

/** A trace in a list. */
export interface TraceRow extends StoredTrace {
  _count: { decisionPoints: number; spans: number; events: number };
  /** The models that its spans called, if they were asked for. */
  models?: string[];
}

/** Children as they are sent, without the fields that the server adds. */
interface SentSpan extends FieldValues<typeof SPAN, StoredTypes> {}
interface SentDecisionPoint extends FieldValues<typeof DECISION_POINT, StoredTypes> {}
export interface Span extends SentSpan, ModelUsage {
  /** Where `costUsd` comes from, if the span called a model: `SENT_PRICE`, a price rule, or a model of the price list. */
  priceSource: string | null;
}
export interface DecisionPoint extends SentDecisionPoint {
  /** Whether nobody wrote the decision down: the server read it from what an instrumentation sent. */
  inferred: boolean;
  /** False if the sender does not say what else could have been chosen. */
  alternativesKnown: boolean;
}
export interface TraceEvent extends FieldValues<typeof EVENT, StoredTypes> {}

/** A trace with all its children. */
export interface WholeTrace extends StoredTrace {
  /** The models that its spans called. */
  models: string[];
  /** Whether `totalCost` was not sent but derived from the costs of spans. */
  isCostDerived: boolean;
  spans: Span[];
  decisionPoints: DecisionPoint[];
  events: TraceEvent[];
}

/** A trace without its payloads, which can be megabytes long. */
export interface Outline extends Omit<WholeTrace, "metadata" | "spans" | "decisionPoints" | "events"> {
  spans: OutlineSpan[];
  decisionPoints: OutlineDecision[];
  events: OutlineEvent[];
}
export type OutlineSpan = Omit<Span, "input" | "output" | "metadata">;
export type OutlineDecision = Omit<DecisionPoint, "contextSnapshot">;
export type OutlineEvent = Omit<TraceEvent, "metadata">;

/** A trace as it is sent, without the fields that the server adds. */
export interface SentTrace extends FieldValues<typeof TRACE, StoredTypes> {
  spans: SentSpan[];
  decisionPoints: SentDecisionPoint[];
  events: TraceEvent[];
}

/** A decision point in the list of decisions of all traces. */
export interface DecisionRow extends DecisionPoint {
  traceId: string;
  trace: { id: string; name: string; status: Status; startedAt: string };
}

/** The totals of the traces that share a sessionId; a sum ends at ±Number.MAX_VALUE. */
export interface AgentSession {
  sessionId: string;
  traceCount: number;
  totalCost: number | null;
  totalTokens: number | null;
  totalDuration: number | null;
  firstStartedAt: string;
  lastStartedAt: string;
  /** ERROR if any trace failed, else RUNNING if any is running, else COMPLETED. */
  status: Status;
  /** The names of its earliest traces, each once; at most 4. */
  agents: string[];
  /** What its first trace was asked, in one line of at most 200 characters. */
  firstRequest: string | null;
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
