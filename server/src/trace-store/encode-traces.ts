import {
  CHILDREN,
  type ChildKind,
  type Fields,
  type ParsedDecisionPoint,
  type ParsedEvent,
  type ParsedSpan,
  type ParsedTrace,
  TRACE,
} from "@whytrace/contract";
import { BinaryRows } from "../db/binary-rows.ts";
import type { CopiedTable } from "../db/copy-rows.ts";
import { PACKED_KINDS, type PackedKind } from "../payloads/packed-fields.ts";
import { type PackedSize, PayloadPacker } from "../payloads/payload-packer.ts";
import { decisionSearch } from "./decision-search.ts";
import type { MergeState } from "./merge-state.ts";
import {
  SPAN_MODEL_COLUMNS,
  TRACE_MODEL_COLUMNS,
  writeSpanModel,
  writeTraceModels,
} from "./model-columns.ts";
import { columnOf, fieldsWriter, withoutPayloads } from "./record-columns.ts";
import { FACTS_COLUMNS, traceFacts, writeFacts } from "./trace-facts.ts";
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
  ...FACTS_COLUMNS,
  "merge_state",
];
const OTLP_PART_COLUMNS = ["user_id", "trace_id", "facts"];

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
  decisionPoints: childWriter(CHILDREN.decisionPoints.fields, [
    "search_text",
    "choice",
    "derived_hash",
    "is_inferred",
    "alternatives_known",
  ]),
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
  readonly #otlpParts = new BinaryRows(0);
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
  addTrace(user: Uint8Array, trace: ParsedTrace, manifest: TraceManifest | undefined, state?: MergeState) {
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
    writeFacts(rows, traceFacts(trace));
    rows.text(state ? JSON.stringify(state) : null);
  }

  /** Adds what a trace is derived from, of spans and log records that came by OpenTelemetry. */
  addOtlpPart(user: Uint8Array, traceId: string, facts: Uint8Array) {
    const rows = this.#otlpParts;
    rows.beginRow(OTLP_PART_COLUMNS.length);
    rows.bytes(user);
    rows.text(traceId);
    rows.bytes(facts);
  }

  /**
   * Packs these payloads of a trace, spans first, in the order of their positions, into parts from `firstPart` on. Returns
   * the number of the next part.
   */
  addPackedChildren(
    user: Uint8Array,
    traceId: string,
    children: Iterable<{ kind: PackedKind; position: number; payloads: (Uint8Array | null)[] }>,
    firstPart: number,
  ): number {
    const payloads = this.#payloads;
    if (!payloads) return firstPart;
    payloads.beginTrace(user, traceId, firstPart);
    for (const { kind, position, payloads: own } of children) payloads.addBytes(kind, position, own);
    return payloads.endTrace().parts;
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
    yield* eachWanted("spans", trace.spans, isWanted, (position, span) =>
      this.addSpan(user, trace.id, position, span),
    );
    yield* eachWanted("events", trace.events, isWanted, (position, event) =>
      this.addEvent(user, trace.id, position, event),
    );
    yield* eachWanted("decisionPoints", trace.decisionPoints, isWanted, (position, decision) =>
      this.addDecisionPoint(user, trace, position, decision),
    );
  }

  /** Adds the row of a decision point. It has a hash if it is derived from spans. */
  addDecisionPoint(
    user: Uint8Array,
    trace: Pick<ParsedTrace, "id" | "name">,
    position: number,
    decision: ParsedDecisionPoint,
    derivedHash: Uint8Array | null = null,
  ) {
    const rows = this.#children.decisionPoints;
    this.#beginChild("decisionPoints", user, trace.id, position, decision);
    const { searchText, choice } = decisionSearch(trace.name, decision);
    rows.text(searchText);
    rows.text(choice);
    rows.bytes(derivedHash);
    rows.boolean(decision.inference ? true : null);
    rows.boolean(decision.inference?.alternativesKnown ?? null);
  }

  /** Adds the row of a span. Its payloads have to be added, too, if payloads are packed. */
  addSpan(user: Uint8Array, traceId: string, position: number, span: ParsedSpan) {
    this.#beginChild("spans", user, traceId, position, span);
    const rows = this.#children.spans;
    if (this.isPacked) rows.boolean(true);
    writeSpanModel(rows, span);
  }

  /** Adds the row of an event, like `addSpan`. */
  addEvent(user: Uint8Array, traceId: string, position: number, event: ParsedEvent) {
    this.#beginChild("events", user, traceId, position, event);
    if (this.isPacked) this.#children.events.boolean(true);
  }

  #beginChild(
    kind: ChildKind,
    user: Uint8Array,
    traceId: string,
    position: number,
    child: ParsedSpan | ParsedDecisionPoint | ParsedEvent,
  ) {
    const rows = this.#children[kind];
    const { columns, writeFields } = this.#writers[kind];
    rows.beginRow(columns.length);
    rows.bytes(user);
    rows.text(traceId);
    rows.integer(position);
    writeFields(rows, child);
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
      copiedTable("otlp_parts", OTLP_PART_COLUMNS, this.#otlpParts),
      ...(this.#payloads ? [await this.#payloads.finish()] : []),
    ];
    for (const { rows } of tables) if (rows.count === 0) rows.release();
    return tables.filter(({ rows }) => rows.count > 0);
  }
}

/** Passes the children that the filter wants to `add`, and yields where the caller may pause. */
function* eachWanted<Child>(
  kind: ChildKind,
  children: Child[],
  isWanted: ChildFilter,
  add: (position: number, child: Child) => void,
): Generator<undefined> {
  for (const [position, child] of children.entries()) {
    if (!isWanted(kind, position)) continue;
    add(position, child);
    if (position % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1) yield;
  }
}

const copiedTable = (table: string, columns: string[], rows: BinaryRows): CopiedTable => ({
  statement: `copy ${table} (${columns.join(", ")}) from stdin (format binary)`,
  rows,
});

export const uuidBytes = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");
