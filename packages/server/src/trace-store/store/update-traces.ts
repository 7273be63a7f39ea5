import { type ParsedTrace, TRACE } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import { payloadBytes } from "../../payloads/payload-bytes.ts";
import type { RunProblems } from "../problems/run-problems.ts";
import {
  computeColumns,
  SENT_ASSIGNMENTS,
  SENT_COLUMN_TYPES,
  SENT_COMPUTED_COLUMNS,
  sentComputedColumns,
} from "../rows/computed-columns.ts";
import { modelNames } from "../rows/model-columns.ts";
import { columnOf } from "../rows/record-columns.ts";
import type { EncodedManifest } from "../rows/trace-manifest.ts";

/*
 * One statement updates any number of traces. Their fields are one JSON parameter. Payloads have to stay the bytes they
 * are, so together they are one binary parameter, and the JSON says where each payload starts and how long it is.
 */

const { id: _id, ...UPDATED_FIELDS } = TRACE.fields;
const UPDATED = Object.entries(UPDATED_FIELDS);
const COUNTS = ["spanCount", "decisionPointCount", "eventCount"];

/** How the JSON parameter is read: its columns with their types. */
const SENT_COLUMNS = sql.raw(
  [
    "id text",
    ...UPDATED.map(([name, type]) => {
      if (type === "payload") return `"${name}Start" integer, "${name}Length" integer`;
      if (type === "number" || type === "probability") return `"${name}" double precision`;
      if (type === "instant" || type === "optionalInstant") return `"${name}" timestamptz`;
      return `"${name}" ${type === "tags" ? "json" : "text"}`;
    }),
    ...COUNTS.map((name) => `"${name}" integer`),
    '"manifestHash" text, models json, "modelCosts" jsonb, "isCostDerived" boolean, "maskingVersion" bigint, masked jsonb',
    SENT_COLUMN_TYPES,
  ].join(", "),
);

/** What is stored with traces and was not sent. */
export interface WrittenWithTraces {
  manifests: ReadonlyMap<string, EncodedManifest>;
  definitions: Definitions;
}

/** Sets everything but the id and the creation time to what was sent. Returns what else is written of the runs. */
export async function updateTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  traces: ParsedTrace[],
  { manifests, definitions }: WrittenWithTraces,
): Promise<{ id: string; run: RunProblems }[]> {
  const payloads: Uint8Array[] = [];
  let payloadsLength = 0;
  const runs: { id: string; run: RunProblems }[] = [];
  const sent = traces.map((trace) => {
    const computed = computeColumns(trace, definitions);
    runs.push({ id: trace.id, run: computed.run });
    const values: Record<string, unknown> = {
      id: trace.id,
      spanCount: trace.spans.length,
      decisionPointCount: trace.decisionPoints.length,
      eventCount: trace.events.length,
      manifestHash: manifests.get(trace.id)?.hash.toString("hex"),
      models: modelNames(trace) ?? undefined,
      modelCosts: trace.models?.length ? trace.models : undefined,
      isCostDerived: trace.isCostDerived,
      maskingVersion: trace.masking?.version,
      masked: trace.masking?.counts ?? undefined,
      ...sentComputedColumns(computed),
    };
    for (const [name, type] of UPDATED) {
      const value = trace[name as keyof typeof UPDATED_FIELDS];
      if (type === "payload") {
        const payload = payloadBytes(value);
        if (payload === null) continue;
        payloads.push(payload);
        // PostgreSQL counts bytes from 1.
        values[`${name}Start`] = payloadsLength + 1;
        values[`${name}Length`] = payload.length;
        payloadsLength += payload.length;
      } else
        values[name] =
          (type === "instant" || type === "optionalInstant") && typeof value === "number"
            ? new Date(value)
            : value;
    }
    return values;
  });
  // The subquery computes what is computed from sent values: an assignment may not (`DISTRIBUTED_TABLES`).
  await sql`/* prepared */
    update traces set ${ASSIGNMENTS}, merge_state = null, derive_after = null
    from (
      select *, ${computedColumns(Buffer.concat(payloads))}
      from json_to_recordset(${JSON.stringify(sent)}::json) as sent (${SENT_COLUMNS})
    ) as sent
    where traces.workspace_id = ${workspaceId} and traces.id = sent.id`.execute(trx);
  return runs;
}

/** Of a field that is not sent as its column is stored, the name of the computed column. */
const computedName = (name: string) => `${columnOf(name)}_value`;
const isComputed = (type: unknown) => type === "payload" || type === "tags";

function computedColumns(payloads: Buffer) {
  const fields = UPDATED.filter(([, type]) => isComputed(type)).map(([name, type]) => {
    const as = sql.raw(`as ${computedName(name)}`);
    if (type === "tags")
      return sql`array(select json_array_elements_text(${sql.raw(`sent."${name}"`)})) ${as}`;
    const range = sql.raw(`sent."${name}Start", sent."${name}Length"`);
    return sql`convert_from(substr(${payloads}::bytea, ${range}), 'UTF8')::json ${as}`;
  });
  return sql.join([
    ...fields,
    sql`decode(sent."manifestHash", 'hex') as manifest_hash`,
    sql`case when sent.models is not null then array(select json_array_elements_text(sent.models)) end as model_names`,
    sql.raw(SENT_COMPUTED_COLUMNS),
  ]);
}

const ASSIGNMENTS = sql.raw(
  [
    ...UPDATED.map(([name, type]) =>
      isComputed(type)
        ? `${columnOf(name)} = sent.${computedName(name)}`
        : `${columnOf(name)} = sent."${name}"`,
    ),
    ...COUNTS.map((name) => `${columnOf(name)} = sent."${name}"`),
    'model_costs = sent."modelCosts", is_cost_derived = sent."isCostDerived", models = sent.model_names',
    'masking_version = sent."maskingVersion", masked = sent.masked',
    "manifest_hash = sent.manifest_hash",
    SENT_ASSIGNMENTS,
  ].join(", "),
);
