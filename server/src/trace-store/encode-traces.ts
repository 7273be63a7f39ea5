import { CHILDREN, type ChildKind, type ParsedTrace, TRACE } from "@whytrace/contract";
import { BinaryRows } from "../db/binary-rows.ts";
import type { CopiedTable } from "../db/copy-rows.ts";
import { decisionSearch } from "./decision-search.ts";
import { columnOf, fieldsWriter } from "./record-columns.ts";

const TRACE_COLUMNS = [
  "user_id",
  ...Object.keys(TRACE.fields).map(columnOf),
  "span_count",
  "decision_point_count",
  "event_count",
];

const childColumns = (kind: ChildKind) => [
  "user_id",
  "trace_id",
  "position",
  ...Object.keys(CHILDREN[kind].fields).map(columnOf),
];
const CHILD_COLUMNS: Readonly<Record<ChildKind, string[]>> = {
  spans: childColumns("spans"),
  decisionPoints: [...childColumns("decisionPoints"), "search_text", "choice"],
  events: childColumns("events"),
};

const writeTraceFields = fieldsWriter(TRACE.fields);
const WRITE_CHILD_FIELDS = {
  spans: fieldsWriter(CHILDREN.spans.fields),
  decisionPoints: fieldsWriter(CHILDREN.decisionPoints.fields),
  events: fieldsWriter(CHILDREN.events.fields),
};

/** Whether the child of this kind at this position is written. */
export type ChildFilter = (kind: ChildKind, position: number) => boolean;

/** The rows of any number of traces, of one or several users, in the format that COPY reads. */
export class TraceRows {
  readonly #traces: BinaryRows;
  readonly #children: Readonly<Record<ChildKind, BinaryRows>>;

  /** The buffers are sized for `jsonBytes` of JSON; they grow if needed. */
  constructor(traceCount: number, jsonBytes: number) {
    this.#traces = new BinaryRows(traceCount * 512);
    this.#children = {
      spans: new BinaryRows(jsonBytes),
      decisionPoints: new BinaryRows(jsonBytes / 4),
      events: new BinaryRows(jsonBytes / 16),
    };
  }

  /** Adds the row of a new trace. The database sets when it was created. */
  addTrace(user: Uint8Array, trace: ParsedTrace) {
    const rows = this.#traces;
    rows.beginRow(TRACE_COLUMNS.length);
    rows.bytes(user);
    writeTraceFields(rows, trace);
    rows.integer(trace.spans.length);
    rows.integer(trace.decisionPoints.length);
    rows.integer(trace.events.length);
  }

  /** Adds the rows of a trace's spans, decision points and events: all of them, or those that the filter wants. */
  addChildren(user: Uint8Array, trace: ParsedTrace, isWanted: ChildFilter = () => true) {
    this.#addChildren("spans", user, trace, isWanted);
    this.#addChildren("events", user, trace, isWanted);
    const rows = this.#children.decisionPoints;
    this.#addChildren("decisionPoints", user, trace, isWanted, (position) => {
      const decision = trace.decisionPoints[position];
      if (!decision) return;
      const { searchText, choice } = decisionSearch(trace.name, decision);
      rows.text(searchText);
      rows.text(choice);
    });
  }

  #addChildren(
    kind: ChildKind,
    user: Uint8Array,
    trace: ParsedTrace,
    isWanted: ChildFilter,
    writeDerived: (position: number) => void = () => {},
  ) {
    const rows = this.#children[kind];
    const writeFields = WRITE_CHILD_FIELDS[kind];
    for (const [position, child] of trace[kind].entries()) {
      if (!isWanted(kind, position)) continue;
      rows.beginRow(CHILD_COLUMNS[kind].length);
      rows.bytes(user);
      rows.text(trace.id);
      rows.integer(position);
      writeFields(rows, child);
      writeDerived(position);
    }
  }

  /** The tables that have rows. Call it once, after all rows were added. */
  tables(): CopiedTable[] {
    const { spans, decisionPoints, events } = this.#children;
    const tables = [
      copiedTable("traces", TRACE_COLUMNS, this.#traces),
      copiedTable("spans", CHILD_COLUMNS.spans, spans),
      copiedTable("decision_points", CHILD_COLUMNS.decisionPoints, decisionPoints),
      copiedTable("events", CHILD_COLUMNS.events, events),
    ];
    for (const { rows } of tables) if (rows.count === 0) rows.release();
    return tables.filter(({ rows }) => rows.count > 0);
  }
}

const copiedTable = (table: string, columns: string[], rows: BinaryRows): CopiedTable => ({
  statement: `copy ${table} (${columns.join(", ")}) from stdin (format binary)`,
  rows,
});

export const uuidBytes = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");
