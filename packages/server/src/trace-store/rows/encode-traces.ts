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
import { BinaryRows } from "../../db/copy/binary-rows.ts";
import type { CopiedTable } from "../../db/copy/copy-rows.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import { PACKED_KINDS, type PackedKind } from "../../payloads/packed-fields.ts";
import { type PackedSize, PayloadPacker } from "../../payloads/payload-packer.ts";
import type { RunProblems } from "../problems/run-problems.ts";
import type { ParsedScore } from "../scores/parsed-score.ts";
import {
  COMPUTED_COLUMNS,
  type ComputedTrace,
  computeColumns,
  writeComputedColumns,
} from "./computed-columns.ts";
import { decisionSearch } from "./decision-search.ts";
import type { MergeState } from "./merge-state.ts";
import {
  SPAN_MODEL_COLUMNS,
  TRACE_MODEL_COLUMNS,
  writeSpanModel,
  writeTraceModels,
} from "./model-columns.ts";
import { columnOf, fieldsWriter, withoutPayloads } from "./record-columns.ts";
import type { EncodedManifest } from "./trace-manifest.ts";

const TRACE_COLUMNS = [
  "workspace_id",
  ...Object.keys(TRACE.fields).map(columnOf),
  "span_count",
  "decision_point_count",
  "event_count",
  "manifest_hash",
  ...TRACE_MODEL_COLUMNS,
  ...COMPUTED_COLUMNS,
  "masking_version",
  "masked",
  "merge_state",
  "score_count",
];
const OTLP_PART_COLUMNS = ["workspace_id", "trace_id", "facts"];

/** How the rows of one kind of child are written. */
interface ChildWriter {
  columns: string[];
  writeFields: ReturnType<typeof fieldsWriter>;
}

function childWriter(fields: Fields, derived: string[] = []): ChildWriter {
  const columns = ["workspace_id", "trace_id", "position", ...Object.keys(fields).map(columnOf), ...derived];
  return { columns, writeFields: fieldsWriter(fields) };
}

const CHILD_WRITERS: Readonly<Record<ChildKind, ChildWriter>> = {
  spans: childWriter(withoutPayloads(CHILDREN.spans.fields), SPAN_MODEL_COLUMNS),
  decisionPoints: childWriter(CHILDREN.decisionPoints.fields, [
    "search_text",
    "choice",
    "derived_hash",
    "is_inferred",
    "alternatives_known",
  ]),
  events: childWriter(withoutPayloads(CHILDREN.events.fields)),
};

const writeTraceFields = fieldsWriter(TRACE.fields);

const CHILDREN_PER_STEP = 128;

/** Whether the child of this kind at this position is written. */
export type ChildFilter = (kind: ChildKind, position: number) => boolean;

/** What the row of a trace has beside what was sent. */
interface AddedTrace {
  manifest?: EncodedManifest | undefined;
  state?: MergeState;
  definitions: Definitions;
  /** Those that the trace carries. */
  scores?: readonly ParsedScore[] | undefined;
}

interface TraceRowsOptions {
  traceCount: number;
  jsonBytes: number;
}

/** The rows of any number of traces, of one or several workspaces, in the format that COPY reads. */
export class TraceRows {
  readonly #traces: BinaryRows;
  readonly #children: Readonly<Record<ChildKind, BinaryRows>>;
  readonly #otlpParts = new BinaryRows(0);
  readonly #payloads: PayloadPacker;

  /** The buffers are sized for `jsonBytes` of JSON; they grow if needed. */
  constructor({ traceCount, jsonBytes }: TraceRowsOptions) {
    this.#traces = new BinaryRows(traceCount * 512);
    this.#children = {
      spans: new BinaryRows(jsonBytes / 8),
      decisionPoints: new BinaryRows(jsonBytes / 8),
      events: new BinaryRows(jsonBytes / 16),
    };
    this.#payloads = new PayloadPacker(jsonBytes / 4);
  }

  /** Adds the row of a new trace, and returns what else is written of it. The database sets when it was created. */
  addTrace(
    workspace: Uint8Array,
    trace: ParsedTrace & Pick<ComputedTrace, "serviceVersion" | "metadataPairs">,
    { manifest, state, definitions, scores = [] }: AddedTrace,
  ): RunProblems {
    const rows = this.#traces;
    rows.beginRow(TRACE_COLUMNS.length);
    rows.bytes(workspace);
    writeTraceFields(rows, trace);
    rows.integer(trace.spans.length);
    rows.integer(trace.decisionPoints.length);
    rows.integer(trace.events.length);
    rows.bytes(manifest?.hash ?? null);
    writeTraceModels(rows, trace);
    const { run, ...columns } = computeColumns(trace, definitions, scores);
    writeComputedColumns(rows, columns);
    rows.bigint(trace.masking?.version ?? null);
    // The binary form of jsonb is its version, 1, and the text.
    rows.text(trace.masking?.counts ? `\u0001${JSON.stringify(trace.masking.counts)}` : null);
    rows.text(state ? JSON.stringify(state) : null);
    rows.integer(scores.length);
    return run;
  }

  /** Adds what a trace is derived from, of spans and log records that came by OpenTelemetry. */
  addOtlpPart(workspace: Uint8Array, traceId: string, facts: Uint8Array) {
    const rows = this.#otlpParts;
    rows.beginRow(OTLP_PART_COLUMNS.length);
    rows.bytes(workspace);
    rows.text(traceId);
    rows.bytes(facts);
  }

  /**
   * Packs these payloads of a trace, spans first, in the order of their positions, into parts from `firstPart` on. Returns
   * the number of the next part.
   */
  addPackedChildren(
    workspace: Uint8Array,
    traceId: string,
    children: Iterable<{ kind: PackedKind; position: number; payloads: (Uint8Array | null)[] }>,
    firstPart: number,
  ): number {
    this.#payloads.beginTrace(workspace, traceId, firstPart);
    for (const { kind, position, payloads } of children) this.#payloads.addBytes(kind, position, payloads);
    return this.#payloads.endTrace().parts;
  }

  /**
   * Packs the payloads of a trace's children, of all or of those that the filter wants. The parts are numbered from
   * `firstPart` on.
   */
  *addPayloads(
    workspace: Uint8Array,
    trace: ParsedTrace,
    isWanted: ChildFilter = () => true,
    firstPart = 0,
  ): Generator<undefined, PackedSize> {
    const payloads = this.#payloads;
    payloads.beginTrace(workspace, trace.id, firstPart);
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
    workspace: Uint8Array,
    trace: ParsedTrace,
    isWanted: ChildFilter = () => true,
  ): Generator<undefined> {
    yield* eachWanted("spans", trace.spans, isWanted, (position, span) =>
      this.addSpan(workspace, trace.id, position, span),
    );
    yield* eachWanted("events", trace.events, isWanted, (position, event) =>
      this.addEvent(workspace, trace.id, position, event),
    );
    yield* eachWanted("decisionPoints", trace.decisionPoints, isWanted, (position, decision) =>
      this.addDecisionPoint(workspace, trace, position, decision),
    );
  }

  /** Adds the row of a decision point. It has a hash if it is derived from spans. */
  addDecisionPoint(
    workspace: Uint8Array,
    trace: Pick<ParsedTrace, "id" | "name">,
    position: number,
    decision: ParsedDecisionPoint,
    derivedHash: Uint8Array | null = null,
  ) {
    const rows = this.#children.decisionPoints;
    this.#beginChild("decisionPoints", workspace, trace.id, position, decision);
    const { searchText, choice } = decisionSearch(trace.name, decision);
    rows.text(searchText);
    rows.text(choice);
    rows.bytes(derivedHash);
    rows.boolean(decision.inference ? true : null);
    rows.boolean(decision.inference?.alternativesKnown ?? null);
  }

  /** Adds the row of a span. Its payloads have to be added, too. */
  addSpan(workspace: Uint8Array, traceId: string, position: number, span: ParsedSpan) {
    this.#beginChild("spans", workspace, traceId, position, span);
    writeSpanModel(this.#children.spans, span);
  }

  /** Adds the row of an event, like `addSpan`. */
  addEvent(workspace: Uint8Array, traceId: string, position: number, event: ParsedEvent) {
    this.#beginChild("events", workspace, traceId, position, event);
  }

  #beginChild(
    kind: ChildKind,
    workspace: Uint8Array,
    traceId: string,
    position: number,
    child: ParsedSpan | ParsedDecisionPoint | ParsedEvent,
  ) {
    const rows = this.#children[kind];
    const { columns, writeFields } = CHILD_WRITERS[kind];
    rows.beginRow(columns.length);
    rows.bytes(workspace);
    rows.text(traceId);
    rows.integer(position);
    writeFields(rows, child);
  }

  /** The tables that have rows. Call it once, after all rows were added. */
  async tables(): Promise<CopiedTable[]> {
    const { spans, decisionPoints, events } = this.#children;
    const tables = [
      copiedTable("traces", TRACE_COLUMNS, this.#traces),
      copiedTable("spans", CHILD_WRITERS.spans.columns, spans),
      copiedTable("decision_points", CHILD_WRITERS.decisionPoints.columns, decisionPoints),
      copiedTable("events", CHILD_WRITERS.events.columns, events),
      copiedTable("otlp_parts", OTLP_PART_COLUMNS, this.#otlpParts),
      await this.#payloads.finish(),
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
