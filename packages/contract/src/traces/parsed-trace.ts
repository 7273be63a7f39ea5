import type { ModelCost } from "../schemas/stats.ts";
import type { ModelUsage } from "../schemas/traces.ts";
import type { FieldValues } from "./field-values.ts";
import type { DECISION_POINT, EVENT, FieldType, RecordTable, SPAN, TRACE } from "./fields.ts";

/*
 * A valid batch, as `parseBatch` returns it. Absent fields are null, and instants are milliseconds since 1970. JSON values
 * (json, jsonArray, payload) are not parsed; from a request body they are `RawJson`.
 */
export interface ParsedTypes extends Record<FieldType, unknown> {
  id: string;
  reference: string | null;
  name: string;
  text: string | null;
  number: number | null;
  probability: number | null;
  instant: number;
  optionalInstant: number | null;
  tags: string[];
}

type ParsedChild<Table extends RecordTable> = FieldValues<Table, ParsedTypes> & {
  /** The record's JSON as sent, if it comes from a request body. */
  source?: { readonly bytes: Uint8Array } | undefined;
};

export type ParsedSpan = ParsedChild<typeof SPAN> & {
  /** Absent or null if the span is not known to have called a model. */
  usage?: ModelUsage | null;
  /** Where `costUsd` comes from, if the span called a model and its cost is known. */
  priceSource?: string | null;
};
export type ParsedEvent = ParsedChild<typeof EVENT>;
/** `parentSpanId` is the id of a span of the same trace, or null. */
export type ParsedDecisionPoint = ParsedChild<typeof DECISION_POINT> & {
  /** Set if nobody wrote the decision down: the server read it from what an instrumentation sent. */
  inference?: Inference | null;
};

export interface Inference {
  /** False if the sender does not say what else could have been chosen; then there are no alternatives. */
  alternativesKnown: boolean;
}

export type ParsedTrace = FieldValues<typeof TRACE, ParsedTypes> & {
  decisionPoints: ParsedDecisionPoint[];
  spans: ParsedSpan[];
  events: ParsedEvent[];
  /** What each model used; absent if no span called one. */
  models?: ModelCost[];
  /** Whether `totalCost` was not sent but derived from the costs of spans. */
  isCostDerived?: boolean;
  /** Set when the server has masked the trace. */
  masking?: TraceMasking;
};

/** By which version of a workspace's rules a trace was masked, and how many values, by type; null if none. */
export interface TraceMasking {
  version: number;
  counts: Readonly<Record<string, number>> | null;
}
