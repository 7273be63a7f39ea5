import { CHILDREN, type ChildKind, type Fields, type ParsedTrace, TRACE } from "@whytrace/contract";
import { BinaryRows } from "../db/binary-rows.ts";
import type { CopiedTable } from "../db/copy-rows.ts";
import { isPackedKind, PACKED_KINDS } from "../payloads/packed-fields.ts";
import { type PackedSize, PayloadPacker } from "../payloads/payload-packer.ts";
import { decisionSearch } from "./decision-search.ts";
import {
  SPAN_MODEL_COLUMNS,
  TRACE_MODEL_COLUMNS,
  writeSpanModel,
  writeTraceModels,
} from "./model-columns.ts";
import { columnOf, fieldsWriter, withoutPayloads } from "./record-columns.ts";
import type { TraceManifest } from "./trace-manifest.ts";

const TRACE_COLUMNS = [
  "user_id",
  ...Object.keys(TRACE.fields).map(columnOf),
  "span_count",
  "decision_point_count",
  "event_count",
  "manifest_hash",
  "is_packed",
  ...TRACE_MODEL_COLUMNS,
];

/** How the rows of one kind of child are written. */
interface ChildWriter {
  columns: string[];
  writeFields: ReturnType<typeof fieldsWriter>;
}

function childWriter(fields: Fields, derived: string[] = []): ChildWriter {
  const columns = ["user_id", "trace_id", "position", ...Object.keys(fields).map(columnOf), ...derived];
  return { columns, writeFields: fieldsWriter(fields) };
}

type ChildWriters = Readonly<Record<ChildKind, ChildWriter>>;

const UNPACKED: ChildWriters = {
  spans: childWriter(CHILDREN.spans.fields, SPAN_MODEL_COLUMNS),
  decisionPoints: childWriter(CHILDREN.decisionPoints.fields, ["search_text", "choice"]),
  events: childWriter(CHILDREN.events.fields),
};
const PACKED: ChildWriters = {
  ...UNPACKED,
  spans: childWriter(withoutPayloads(CHILDREN.spans.fields), ["is_packed", ...SPAN_MODEL_COLUMNS]),
  events: childWriter(withoutPayloads(CHILDREN.events.fields), ["is_packed"]),
};

const writeTraceFields = fieldsWriter(TRACE.fields);

const CHILDREN_PER_STEP = 128;

/** Whether the child of this kind at this position is written. */
export type ChildFilter = (kind: ChildKind, position: number) => boolean;

export interface TraceRowsOptions {
  traceCount: number;
  jsonBytes: number;
  /** Whether payloads are packed or written into the rows of their spans and events. */
  isPacked: boolean;
}

/** The rows of any number of traces, of one or several users, in the format that COPY reads. */
export class TraceRows {
  readonly #traces: BinaryRows;
  readonly #children: Readonly<Record<ChildKind, BinaryRows>>;
  readonly #writers: ChildWriters;
  readonly #payloads: PayloadPacker | undefined;

  /** The buffers are sized for `jsonBytes` of JSON; they grow if needed. */
  constructor({ traceCount, jsonBytes, isPacked }: TraceRowsOptions) {
    this.#traces = new BinaryRows(traceCount * 512);
    this.#children = {
      spans: new BinaryRows(isPacked ? jsonBytes / 8 : jsonBytes),
      decisionPoints: new BinaryRows(jsonBytes / (isPacked ? 8 : 4)),
      events: new BinaryRows(jsonBytes / 16),
    };
    this.#writers = isPacked ? PACKED : UNPACKED;
    this.#payloads = isPacked ? new PayloadPacker(jsonBytes / 4) : undefined;
  }

  get isPacked() {
    return this.#payloads !== undefined;
  }

  /** Adds the row of a new trace. The database sets when it was created. */
  addTrace(user: Uint8Array, trace: ParsedTrace, manifest: TraceManifest | undefined) {
    const rows = this.#traces;
    rows.beginRow(TRACE_COLUMNS.length);
    rows.bytes(user);
    writeTraceFields(rows, trace);
    rows.integer(trace.spans.length);
    rows.integer(trace.decisionPoints.length);
    rows.integer(trace.events.length);
    rows.bytes(manifest?.hash ?? null);
    rows.boolean(this.isPacked);
    writeTraceModels(rows, trace);
  }

  /**
   * Packs the payloads of a trace's children, of all or of those that the filter wants. The parts are numbered from
   * `firstPart` on. Does nothing if payloads stay in their rows.
   */
  *addPayloads(
    user: Uint8Array,
    trace: ParsedTrace,
    isWanted: ChildFilter = () => true,
    firstPart = 0,
  ): Generator<undefined, PackedSize> {
    const payloads = this.#payloads;
    if (!payloads) return { parts: 0, bytes: 0 };
    payloads.beginTrace(user, trace.id, firstPart);
    for (const kind of PACKED_KINDS)
      for (const [position, child] of trace[kind].entries()) {
        if (isWanted(kind, position)) payloads.add(kind, position, child);
        if (position % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1) yield;
      }
    return payloads.endTrace();
  }

  /**
   * Adds the rows of a trace's spans, decision points and events: all of them, or those that the filter wants. A trace may
   * have tens of thousands, so the generator yields where the caller may pause.
   */
  *addChildren(
    user: Uint8Array,
    trace: ParsedTrace,
    isWanted: ChildFilter = () => true,
  ): Generator<undefined> {
    yield* this.#addChildren("spans", user, trace, isWanted, (position) => {
      writeSpanModel(this.#children.spans, trace.spans[position]);
    });
    yield* this.#addChildren("events", user, trace, isWanted);
    const rows = this.#children.decisionPoints;
    yield* this.#addChildren("decisionPoints", user, trace, isWanted, (position) => {
      const decision = trace.decisionPoints[position];
      if (!decision) return;
      const { searchText, choice } = decisionSearch(trace.name, decision);
      rows.text(searchText);
      rows.text(choice);
    });
  }

  *#addChildren(
    kind: ChildKind,
    user: Uint8Array,
    trace: ParsedTrace,
    isWanted: ChildFilter,
    writeDerived: (position: number) => void = () => {},
  ): Generator<undefined> {
    const rows = this.#children[kind];
    const { columns, writeFields } = this.#writers[kind];
    const isPacked = this.isPacked && isPackedKind(kind);
    for (const [position, child] of trace[kind].entries()) {
      if (!isWanted(kind, position)) continue;
      rows.beginRow(columns.length);
      rows.bytes(user);
      rows.text(trace.id);
      rows.integer(position);
      writeFields(rows, child);
      if (isPacked) rows.boolean(true);
      writeDerived(position);
      if (position % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1) yield;
    }
  }

  /** The tables that have rows. Call it once, after all rows were added. */
  async tables(): Promise<CopiedTable[]> {
    const { spans, decisionPoints, events } = this.#children;
    const writers = this.#writers;
    const tables = [
      copiedTable("traces", TRACE_COLUMNS, this.#traces),
      copiedTable("spans", writers.spans.columns, spans),
      copiedTable("decision_points", writers.decisionPoints.columns, decisionPoints),
      copiedTable("events", writers.events.columns, events),
      ...(this.#payloads ? [await this.#payloads.finish()] : []),
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
