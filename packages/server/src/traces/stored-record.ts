import { CHILDREN, type ChildKind, TRACE } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { CopiedRow } from "../db/copy/copy-out.ts";
import type { ChunkWriter } from "../http/chunk-writer.ts";
import { hasPayloadParts, type PackedKind, payloadFields } from "../payloads/packed-fields.ts";
import { outcomeNameSql } from "../trace-store/outcomes/outcome-name.ts";
import { SPAN_MODEL_FIELDS } from "../trace-store/rows/model-columns.ts";
import {
  columnOf,
  inferenceSql,
  outlineFields,
  selectJsonFields,
} from "../trace-store/rows/record-columns.ts";
import { optionWithoutPayload } from "./option-without-payload.ts";

/** An anonymous trace does not say whose it is. An exported one says its outcome. */
export type TraceKind = "trace" | "anonymousTrace" | "exportedTrace";
type RecordKind = TraceKind | ChildKind;

/**
 * An outline omits the payloads, which can be read one at a time. `withoutPayloads` is for those who must not read them: it
 * also omits what decisions repeat of them. Their reasoning is often what a model said, and options contain what tools were
 * called with, so that only their names remain.
 */
export type RecordDetail = "whole" | "outline" | "withoutPayloads";

const REASONING = ["reasoning"];
const OPTIONS = ["chosen", "alternatives"];

const [TRACE_ID = "id", ...TRACE_OUTLINE] = outlineFields(TRACE.fields);
const ANONYMOUS: Stored = {
  table: "traces",
  outline: [TRACE_ID, ...TRACE_OUTLINE, "createdAt"],
  derived: `, coalesce(models, '{}') as models, coalesce(is_cost_derived, false) as "isCostDerived"`,
  payloads: payloadFields(TRACE.fields),
};
const OWNED: Stored = { ...ANONYMOUS, outline: [TRACE_ID, "userId", ...TRACE_OUTLINE, "createdAt"] };
const RECORDS: Readonly<Record<RecordKind, Stored>> = {
  trace: OWNED,
  anonymousTrace: ANONYMOUS,
  exportedTrace: { ...OWNED, derived: `${OWNED.derived}, ${outcomeNameSql("outcome")} as outcome` },
  spans: child("spans", "spans", SPAN_MODEL_FIELDS),
  decisionPoints: { ...child("decisionPoints", "decision_points"), derived: `, ${inferenceSql("stored")}` },
  events: child("events", "events"),
};

interface Stored {
  table: string;
  outline: string[];
  /** SQL of what follows the outline. */
  derived: string;
  payloads: string[];
}

function child(kind: ChildKind, table: string, more: readonly string[] = []): Stored {
  const { fields } = CHILDREN[kind];
  return {
    table,
    outline: [...outlineFields(fields), ...more],
    derived: "",
    payloads: payloadFields(fields),
  };
}

const fieldsOf = (kind: RecordKind) =>
  kind === "trace" || kind === "anonymousTrace" || kind === "exportedTrace"
    ? TRACE.fields
    : CHILDREN[kind].fields;

const isHidden = (kind: RecordKind, detail: RecordDetail) =>
  kind === "decisionPoints" && detail === "withoutPayloads";

/**
 * Selects records as rows: the outline as JSON and, if the whole record is wanted, its position if its payloads are packed,
 * otherwise its payloads. Without payloads, the options of decisions are columns of their own.
 */
export function recordsQuery(kind: RecordKind, detail: RecordDetail, condition: RawBuilder<unknown>) {
  const { table, outline, derived, payloads } = RECORDS[kind];
  const stored = hasPayloadParts(kind) ? ["position"] : payloads.map(columnOf);
  const columns = detail === "whole" ? stored : [];
  const shown = isHidden(kind, detail)
    ? outline.filter((name) => !REASONING.includes(name) && !OPTIONS.includes(name))
    : outline;
  if (isHidden(kind, detail)) columns.push(...OPTIONS.map(columnOf));
  return sql`
    select ${sql.raw(["row_to_json(outline)", ...columns].join(", "))}
    from ${sql.table(table)} as stored,
      lateral (select ${selectJsonFields(shown, fieldsOf(kind), "stored")}${sql.raw(derived)}) as outline
    where ${condition}`;
}

const TEXTS = new Set(["json", "jsonArray", "text", "tags", "name", "id", "reference"]);
/** What a row takes beside its texts: the names of its fields, numbers and dates. */
const ROW_BYTES = 400;

/** SQL of about how many bytes a child's row of `recordsQuery` has. */
export function rowBytesSql(kind: ChildKind, detail: RecordDetail): RawBuilder<unknown> {
  const hasPayloads = detail === "whole" && !hasPayloadParts(kind);
  const texts = Object.entries(CHILDREN[kind].fields)
    .filter(([, type]) => TEXTS.has(String(type)) || (type === "payload" && hasPayloads))
    .map(([name]) => `coalesce(octet_length(${columnOf(name)}::text), 0)`);
  return sql.raw([ROW_BYTES, ...texts].join(" + "));
}

const COMMA_KEYS = new Map(
  [...Object.values(RECORDS).flatMap(({ payloads }) => payloads), ...OPTIONS].map((name) => [
    name,
    Buffer.from(`,"${name}":`),
  ]),
);
const NULL = Buffer.from("null");
const NO_REASONING = Buffer.from(REASONING.map((name) => `,"${name}":null`).join(""));

/** Where the payloads of packed records are read from. */
export interface PackedPayloads {
  /** A child's payloads, in the order of `PACKED_FIELDS`; null for a field that is absent or null. */
  read(kind: PackedKind, position: number): Promise<(Buffer | null)[]> | (Buffer | null)[];
}

/** Writes a record as JSON without its closing bracket. The row is one of `recordsQuery`. */
export async function writeRecord(
  json: ChunkWriter,
  kind: RecordKind,
  detail: RecordDetail,
  [outline, ...columns]: CopiedRow,
  packed: PackedPayloads,
): Promise<void> {
  if (outline) json.write(outline.subarray(0, -1));
  if (isHidden(kind, detail)) {
    json.write(NO_REASONING);
    for (const [index, name] of OPTIONS.entries()) {
      const option = columns[index];
      json.write(COMMA_KEYS.get(name) ?? NULL);
      json.write(option ? optionWithoutPayload(option) : NULL);
    }
  }
  if (detail !== "whole") return;
  const payloads = hasPayloadParts(kind) ? await packed.read(kind, columns[0]?.readInt32BE() ?? 0) : columns;
  for (const [index, name] of RECORDS[kind].payloads.entries()) {
    json.write(COMMA_KEYS.get(name) ?? NULL);
    json.write(payloads[index] ?? NULL);
  }
}
