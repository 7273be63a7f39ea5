import { optionName, type ParsedDecisionPoint, type ParsedTrace, RawJson } from "@whytrace/contract";
import { BinaryRows } from "../db/binary-rows.ts";
import type { CopiedTable } from "../db/copy-rows.ts";

const TRACE_COLUMNS = [
  "user_id",
  "id",
  "name",
  "session_id",
  "status",
  "tags",
  "metadata",
  "total_cost",
  "total_tokens",
  "total_duration",
  "started_at",
  "ended_at",
  "span_count",
  "decision_point_count",
  "event_count",
];
const SPAN_COLUMNS = [
  "user_id",
  "trace_id",
  "id",
  "position",
  "parent_span_id",
  "name",
  "type",
  "input",
  "output",
  "token_count",
  "cost_usd",
  "duration_ms",
  "status",
  "status_message",
  "started_at",
  "ended_at",
  "metadata",
];
const DECISION_POINT_COLUMNS = [
  "user_id",
  "trace_id",
  "id",
  "position",
  "type",
  "reasoning",
  "chosen",
  "alternatives",
  "context_snapshot",
  "duration_ms",
  "cost_usd",
  "parent_span_id",
  "timestamp",
  "search_text",
  "choice",
];
const EVENT_COLUMNS = [
  "user_id",
  "trace_id",
  "id",
  "position",
  "span_id",
  "type",
  "name",
  "metadata",
  "timestamp",
];

/** The rows of new traces, without their children; their creation time is the database's. */
export function encodeTraces(userId: string, traces: ParsedTrace[]): CopiedTable[] {
  const user = uuidBytes(userId);
  const rows = new BinaryRows(traces.length * 512);
  for (const trace of traces) {
    rows.row(TRACE_COLUMNS.length);
    rows.bytes(user);
    rows.text(trace.id);
    rows.text(trace.name);
    rows.text(trace.sessionId);
    rows.text(trace.status);
    rows.texts(trace.tags);
    rows.bytes(payloadBytes(trace.metadata));
    rows.double(trace.totalCost);
    rows.double(trace.totalTokens);
    rows.double(trace.totalDuration);
    rows.instant(trace.startedAt);
    rows.instant(trace.endedAt);
    rows.integer(trace.spans.length);
    rows.integer(trace.decisionPoints.length);
    rows.integer(trace.events.length);
  }
  return table("traces", TRACE_COLUMNS, rows);
}

/** The rows of their spans, decision points and events. */
export function encodeChildren(userId: string, traces: ParsedTrace[], expectedBytes: number): CopiedTable[] {
  const user = uuidBytes(userId);
  const spans = new BinaryRows(expectedBytes);
  const decisionPoints = new BinaryRows(expectedBytes / 4);
  const events = new BinaryRows(expectedBytes / 16);
  for (const trace of traces) {
    for (const [position, span] of trace.spans.entries()) {
      begin(spans, SPAN_COLUMNS.length, user, trace.id, span.id, position);
      spans.text(span.parentSpanId);
      spans.text(span.name);
      spans.text(span.type);
      spans.bytes(payloadBytes(span.input));
      spans.bytes(payloadBytes(span.output));
      spans.double(span.tokenCount);
      spans.double(span.costUsd);
      spans.double(span.durationMs);
      spans.text(span.status);
      spans.text(span.statusMessage);
      spans.instant(span.startedAt);
      spans.instant(span.endedAt);
      spans.bytes(payloadBytes(span.metadata));
    }
    for (const [position, decision] of trace.decisionPoints.entries()) {
      begin(decisionPoints, DECISION_POINT_COLUMNS.length, user, trace.id, decision.id, position);
      decisionPoints.text(decision.type);
      decisionPoints.text(decision.reasoning);
      decisionPoints.bytes(payloadBytes(decision.chosen));
      decisionPoints.bytes(payloadBytes(decision.alternatives));
      decisionPoints.bytes(payloadBytes(decision.contextSnapshot));
      decisionPoints.double(decision.durationMs);
      decisionPoints.double(decision.costUsd);
      decisionPoints.text(decision.parentSpanId);
      decisionPoints.instant(decision.timestamp);
      const chosen = chosenText(decision.chosen);
      decisionPoints.text(searchText(trace.name, decision, chosen));
      decisionPoints.text(choiceName(chosen));
    }
    for (const [position, event] of trace.events.entries()) {
      begin(events, EVENT_COLUMNS.length, user, trace.id, event.id, position);
      events.text(event.spanId);
      events.text(event.type);
      events.text(event.name);
      events.bytes(payloadBytes(event.metadata));
      events.instant(event.timestamp);
    }
  }
  return [
    ...table("spans", SPAN_COLUMNS, spans),
    ...table("decision_points", DECISION_POINT_COLUMNS, decisionPoints),
    ...table("events", EVENT_COLUMNS, events),
  ];
}

function begin(
  rows: BinaryRows,
  fields: number,
  user: Buffer,
  traceId: string,
  id: string,
  position: number,
) {
  rows.row(fields);
  rows.bytes(user);
  rows.text(traceId);
  rows.text(id);
  rows.integer(position);
}

function table(name: string, columns: string[], rows: BinaryRows): CopiedTable[] {
  if (rows.count === 0) return [];
  return [{ statement: `copy ${name} (${columns.join(", ")}) from stdin (format binary)`, data: rows.end() }];
}

const uuidBytes = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");

/** A payload as JSON bytes: the very ones that were sent, or, from a caller with values in hand, printed. */
export function payloadBytes(payload: unknown): Uint8Array | null {
  if (payload === null || payload === undefined) return null;
  return payload instanceof RawJson ? payload.bytes : Buffer.from(JSON.stringify(payload));
}

/** Of the reasoning and of the choice, so much is searched: a book in either would make the index the bottleneck. */
const SEARCHED_LENGTH = 8_192;

/** A choice's name is looked for in values up to this length, and so much of it is kept. */
const NAMED_LENGTH = 2_048;
const CHOICE_LENGTH = 200;

/** The chosen value's JSON; whoever searches for "é" must find what was sent as \u00e9. */
function chosenText(chosen: unknown): string | null {
  const bytes = payloadBytes(chosen);
  if (bytes === null) return null;
  const sent = Buffer.from(bytes).toString();
  return sent.includes("\\u") ? JSON.stringify(JSON.parse(sent)) : sent;
}

/** In lower case, as searches are. */
function searchText(traceName: string, { reasoning }: ParsedDecisionPoint, chosen: string | null): string {
  const parts = [
    traceName,
    (reasoning ?? "").slice(0, SEARCHED_LENGTH),
    (chosen ?? "").slice(0, SEARCHED_LENGTH),
  ];
  return parts.join("\n").toLowerCase().toWellFormed();
}

/** What the choice is counted under. A text cannot hold NUL. */
function choiceName(chosen: string | null): string | null {
  if (chosen === null) return null;
  const name = chosen.length > NAMED_LENGTH ? chosen : optionName(JSON.parse(chosen));
  return name.slice(0, CHOICE_LENGTH).replaceAll("\0", "").toWellFormed();
}
