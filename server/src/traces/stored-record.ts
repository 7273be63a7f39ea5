import { CHILDREN, type ChildKind, TRACE } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { CopiedRow } from "../db/copy-out.ts";
import type { ChunkWriter } from "../http/chunk-writer.ts";
import { isPackedKind, payloadFields } from "../payloads/packed-fields.ts";
import type { TracePayloads } from "../payloads/trace-payloads.ts";
import { SPAN_MODEL_FIELDS } from "../trace-store/model-columns.ts";
import { columnOf, inferenceSql, outlineFields, selectJsonFields } from "../trace-store/record-columns.ts";

/** An anonymous trace does not say whose it is. */
export type RecordKind = "trace" | "anonymousTrace" | ChildKind;

/** An outline omits the payloads. */
export type RecordDetail = "whole" | "outline";

const [TRACE_ID = "id", ...TRACE_OUTLINE] = outlineFields(TRACE.fields);
const ANONYMOUS: Stored = {
  table: "traces",
  outline: [TRACE_ID, ...TRACE_OUTLINE, "createdAt"],
  derived: `, coalesce(models, '{}') as models, coalesce(is_cost_derived, false) as "isCostDerived"`,
  payloads: payloadFields(TRACE.fields),
};
const RECORDS: Readonly<Record<RecordKind, Stored>> = {
  trace: { ...ANONYMOUS, outline: [TRACE_ID, "userId", ...TRACE_OUTLINE, "createdAt"] },
  anonymousTrace: ANONYMOUS,
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

/**
 * Selects records as rows: the outline as JSON and, if the whole record is wanted, its position if its payloads are packed,
 * and its payloads, which are null if they are packed.
 */
export function recordsQuery(kind: RecordKind, detail: RecordDetail, condition: RawBuilder<unknown>) {
  const { table, outline, derived, payloads } = RECORDS[kind];
  const { fields } = kind === "trace" || kind === "anonymousTrace" ? TRACE : CHILDREN[kind];
  const position = isPackedKind(kind) ? "case when is_packed then position end" : "null::integer";
  const columns = detail === "whole" ? [position, ...payloads.map(columnOf)] : [];
  return sql`
    select ${sql.raw(["row_to_json(outline)", ...columns].join(", "))}
    from ${sql.table(table)} as stored, lateral (select ${selectJsonFields(outline, fields, "stored")}${sql.raw(derived)}) as outline
    where ${condition}`;
}

const COMMA_KEYS = new Map(
  Object.values(RECORDS).flatMap(({ payloads }) =>
    payloads.map((name) => [name, Buffer.from(`,"${name}":`)]),
  ),
);
const NULL = Buffer.from("null");

/** Writes a record as JSON without its closing bracket. The row is one of `recordsQuery`. */
export async function writeRecord(
  json: ChunkWriter,
  kind: RecordKind,
  [outline, position, ...own]: CopiedRow,
  packed: TracePayloads,
): Promise<void> {
  if (outline) json.write(outline.subarray(0, -1));
  // An outline has one column.
  if (position === undefined) return;
  const payloads = position && isPackedKind(kind) ? await packed.read(kind, position.readInt32BE()) : own;
  for (const [index, name] of RECORDS[kind].payloads.entries()) {
    json.write(COMMA_KEYS.get(name) ?? NULL);
    json.write(payloads[index] ?? NULL);
  }
}
