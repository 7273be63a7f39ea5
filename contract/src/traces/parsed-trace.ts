import type { FieldValues } from "./field-values.ts";
import type { DECISION_POINT, EVENT, FieldType, RecordTable, SPAN, TRACE } from "./fields.ts";

/*
 * A checked batch, as `parseBatch` returns it. Absent fields are null, instants are milliseconds since 1970, and JSON
 * values (json, jsonArray, payload) are passed on unread: from a request body they are `RawJson`.
 */
export interface ParsedTypes extends Record<FieldType, unknown> {
  id: string;
  reference: string | null;
  name: string;
  text: string | null;
  number: number | null;
  instant: number;
  optionalInstant: number | null;
  tags: string[];
}

/** A record inside a trace. */
type ParsedChild<Table extends RecordTable> = FieldValues<Table, ParsedTypes> & {
  /** The record's JSON as it was sent, if it was read from a request body. */
  source?: { readonly bytes: Uint8Array } | undefined;
};

export type ParsedSpan = ParsedChild<typeof SPAN>;
export type ParsedEvent = ParsedChild<typeof EVENT>;
/** Its parentSpanId is the id of a span of the same trace, or null. */
export type ParsedDecisionPoint = ParsedChild<typeof DECISION_POINT>;

export type ParsedTrace = FieldValues<typeof TRACE, ParsedTypes> & {
  decisionPoints: ParsedDecisionPoint[];
  spans: ParsedSpan[];
  events: ParsedEvent[];
};
