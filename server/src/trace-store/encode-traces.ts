import {
  optionName,
  type ParsedDecisionPoint,
  type ParsedEvent,
  type ParsedSpan,
  type ParsedTrace,
  RawJson,
} from "@whytrace/contract";
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

/** Whether a child, by its kind and place, is to become a row. */
export type ChildFilter = (kind: ChildKind, position: number) => boolean;
export type ChildKind = "spans" | "decisionPoints" | "events";

/** The rows of any number of traces, whoever's they are, in the form in which COPY takes them. */
export class TraceRows {
  readonly #traces: BinaryRows;
  readonly #spans: BinaryRows;
  readonly #decisionPoints: BinaryRows;
  readonly #events: BinaryRows;

  /** `expectedBytes`: of their JSON. */
  constructor(traceCount: number, expectedBytes: number) {
    this.#traces = new BinaryRows(traceCount * 512);
    this.#spans = new BinaryRows(expectedBytes);
    this.#decisionPoints = new BinaryRows(expectedBytes / 4);
    this.#events = new BinaryRows(expectedBytes / 16);
  }

  /** The trace itself, when it is new; its creation time is the database's. */
  addTrace(user: Uint8Array, trace: ParsedTrace) {
    const rows = this.#traces;
    rows.beginRow(TRACE_COLUMNS.length);
    rows.bytes(user);
    rows.text(trace.id);
    rows.text(trace.name);
    rows.text(trace.sessionId);
    rows.text(trace.status);
    rows.textArray(trace.tags);
    rows.bytes(payloadBytes(trace.metadata));
    rows.double(trace.totalCost);
    rows.double(trace.totalTokens);
    rows.double(trace.totalDuration);
    rows.timestamp(trace.startedAt);
    rows.timestamp(trace.endedAt);
    rows.integer(trace.spans.length);
    rows.integer(trace.decisionPoints.length);
    rows.integer(trace.events.length);
  }

  /** Its spans, decision points and events: all of them, or those that are wanted. */
  addChildren(user: Uint8Array, trace: ParsedTrace, isWanted: ChildFilter = () => true) {
    const { id: traceId } = trace;
    const add = <T extends { id: string }>(
      kind: ChildKind,
      rows: BinaryRows,
      columns: string[],
      children: T[],
      write: (child: T) => void,
    ) => {
      for (const [position, child] of children.entries()) {
        if (!isWanted(kind, position)) continue;
        rows.beginRow(columns.length);
        rows.bytes(user);
        rows.text(traceId);
        rows.text(child.id);
        rows.integer(position);
        write(child);
      }
    };
    add("spans", this.#spans, SPAN_COLUMNS, trace.spans, (span) => writeSpan(this.#spans, span));
    add("decisionPoints", this.#decisionPoints, DECISION_POINT_COLUMNS, trace.decisionPoints, (decision) =>
      writeDecisionPoint(this.#decisionPoints, trace.name, decision),
    );
    add("events", this.#events, EVENT_COLUMNS, trace.events, (event) => writeEvent(this.#events, event));
  }

  /** Those that have rows; called once. */
  tables(): CopiedTable[] {
    const tables = [
      table("traces", TRACE_COLUMNS, this.#traces),
      table("spans", SPAN_COLUMNS, this.#spans),
      table("decision_points", DECISION_POINT_COLUMNS, this.#decisionPoints),
      table("events", EVENT_COLUMNS, this.#events),
    ];
    for (const { rows } of tables) if (rows.count === 0) rows.release();
    return tables.filter(({ rows }) => rows.count > 0);
  }
}

function writeSpan(rows: BinaryRows, span: ParsedSpan) {
  rows.text(span.parentSpanId);
  rows.text(span.name);
  rows.text(span.type);
  rows.bytes(payloadBytes(span.input));
  rows.bytes(payloadBytes(span.output));
  rows.double(span.tokenCount);
  rows.double(span.costUsd);
  rows.double(span.durationMs);
  rows.text(span.status);
  rows.text(span.statusMessage);
  rows.timestamp(span.startedAt);
  rows.timestamp(span.endedAt);
  rows.bytes(payloadBytes(span.metadata));
}

function writeDecisionPoint(rows: BinaryRows, traceName: string, decision: ParsedDecisionPoint) {
  rows.text(decision.type);
  rows.text(decision.reasoning);
  rows.bytes(payloadBytes(decision.chosen));
  rows.bytes(payloadBytes(decision.alternatives));
  rows.bytes(payloadBytes(decision.contextSnapshot));
  rows.double(decision.durationMs);
  rows.double(decision.costUsd);
  rows.text(decision.parentSpanId);
  rows.timestamp(decision.timestamp);
  const chosen = chosenText(decision.chosen);
  rows.text(searchText(traceName, decision, chosen));
  rows.text(choiceName(chosen));
}

function writeEvent(rows: BinaryRows, event: ParsedEvent) {
  rows.text(event.spanId);
  rows.text(event.type);
  rows.text(event.name);
  rows.bytes(payloadBytes(event.metadata));
  rows.timestamp(event.timestamp);
}

const table = (name: string, columns: string[], rows: BinaryRows): CopiedTable => ({
  statement: `copy ${name} (${columns.join(", ")}) from stdin (format binary)`,
  rows,
});

export const uuidBytes = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");

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
