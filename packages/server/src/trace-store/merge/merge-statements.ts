import type { ParsedTrace, TraceMasking } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import {
  COMPUTED_COLUMNS,
  type ComputedRun,
  SENT_COLUMN_TYPES,
  SENT_COMPUTED_COLUMNS,
  sentComputedColumns,
} from "../rows/computed-columns.ts";
import type { DerivedTrace } from "../rows/derived-trace.ts";
import type { MergeState } from "../rows/merge-state.ts";
import { modelNames } from "../rows/model-columns.ts";

/**
 * Deletes the rows of spans that are written again, and their events if they come again, too. Returns how many events of which trace
 * were deleted.
 */
export async function deleteReplacedSpans(
  trx: Database,
  workspaceId: WorkspaceId,
  spans: { traceId: string; id: string; hasEvents: boolean }[],
): Promise<Map<string, number>> {
  if (spans.length === 0) return new Map();
  const { rows } = await sql<{ traceId: string; count: number }>`/* prepared */
    with replaced as (
        select * from json_to_recordset(${JSON.stringify(spans)}::json) as replaced
          ("traceId" text, id text, "hasEvents" boolean)),
      deleted_spans as (
        delete from spans using replaced
        where workspace_id = ${workspaceId} and trace_id = replaced."traceId" and spans.id = replaced.id),
      deleted_events as (
        delete from events using replaced
        where workspace_id = ${workspaceId} and trace_id = replaced."traceId" and span_id = replaced.id
          and "hasEvents"
        returning trace_id)
    select trace_id, count(*)::integer as count from deleted_events group by trace_id`.execute(trx);
  return new Map(rows.map(({ traceId, count }) => [traceId, count]));
}

/** What changes in the row of a trace into which a piece was merged. */
export interface MergedRow {
  id: string;
  spanCount: number;
  decisionPointCount: number;
  eventCount: number;
  mergeState: MergeState;
  /** Absent if the piece brought nothing that was sent. */
  masking?: TraceMasking | undefined;
  /** When a worker derives the trace again. */
  deriveAfterS: number | null;
  /** Absent if the trace is derived later. */
  derived?: Omit<DerivedTrace, "completions" | "decisionPoints" | "loggedEvents" | "scores"> &
    Pick<ParsedTrace, "models" | "isCostDerived">;
  /** Absent if the stored columns stay. */
  computed?: ComputedRun | undefined;
}

/** How often the derivation of a trace whose spans go on coming is put off. */
const DELAYED_EVERY_S = 1;

export async function updateMergedTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  merged: MergedRow[],
): Promise<void> {
  if (merged.length === 0) return;
  const sent = merged.map(({ derived, computed, masking, ...row }) => ({
    ...row,
    maskingVersion: masking?.version ?? null,
    masked: masking?.counts ?? null,
    ...derived,
    ...(computed && sentComputedColumns(computed)),
    hasComputed: computed !== undefined,
    models: derived && modelNames(derived),
    modelCosts: derived?.models?.length ? derived.models : null,
    startedAt: derived && new Date(derived.startedAt),
    endedAt: derived?.endedAt === null || !derived ? null : new Date(derived.endedAt),
    isDerived: derived !== undefined,
    isPosted: row.mergeState.posted !== undefined,
  }));
  // What was posted stays.
  const unlessPosted = (field: string, column: string) =>
    sql.raw(
      `${column} = case when "isDerived" and not "isPosted" then sent."${field}" else traces.${column} end`,
    );
  const ifDerived = (field: string, column: string) =>
    sql.raw(`${column} = case when "isDerived" then sent."${field}" else traces.${column} end`);
  const ifKnown = (value: string, column: string) =>
    sql.raw(`${column} = case when "hasComputed" then ${value} else traces.${column} end`);
  // The subquery computes what is computed from sent values: an assignment may not (`DISTRIBUTED_TABLES`).
  await sql`/* prepared */
    update traces set
      ${unlessPosted("name", "name")},
      ${unlessPosted("status", "status")},
      tags = case when "isDerived" and not "isPosted"
        then sent.tag_list else traces.tags end,
      ${unlessPosted("startedAt", "started_at")},
      ${unlessPosted("endedAt", "ended_at")},
      ${unlessPosted("sampleProbability", "sample_probability")},
      ${ifDerived("sessionId", "session_id")},
      ${ifDerived("totalCost", "total_cost")},
      ${ifDerived("totalTokens", "total_tokens")},
      ${ifDerived("totalDuration", "total_duration")},
      models = case when not "isDerived" then traces.models
        when sent.models is not null then sent.model_names end,
      ${ifDerived("modelCosts", "model_costs")},
      ${ifDerived("isCostDerived", "is_cost_derived")},
      ${sql.join(COMPUTED_COLUMNS.map((column) => ifKnown(`sent.${column}`, column)))},
      -- Of a trace whose pieces were masked by several versions, the oldest: a job that applies newer rules has to look at it.
      masking_version = case when traces.masking_version > sent."maskingVersion" then sent."maskingVersion"
        else traces.masking_version end,
      masked = case when sent."maskingVersion" is null then traces.masked else sent.masked end,
      span_count = sent."spanCount",
      decision_point_count = sent."decisionPointCount",
      event_count = sent."eventCount",
      merge_state = sent."mergeState",
      -- It is indexed: as long as it stays the same, PostgreSQL does not have to write into all indexes of the table.
      derive_after = case when traces.derive_after > sent.derived_after_all and traces.derive_after <= sent.derive_after
        then traces.derive_after else sent.derive_after end,
      manifest_hash = null
    from (select *, array(select json_array_elements_text(tags)) as tag_list,
        array(select json_array_elements_text(models)) as model_names,
        ${sql.raw(SENT_COMPUTED_COLUMNS)},
        now() + make_interval(secs => "deriveAfterS") as derive_after,
        now() + make_interval(secs => "deriveAfterS" - ${DELAYED_EVERY_S}) as derived_after_all
      from json_to_recordset(${JSON.stringify(sent)}::json) as sent (id text, name text, status text, tags json,
      "startedAt" timestamptz, "endedAt" timestamptz, "sampleProbability" double precision, "sessionId" text, "totalCost" double precision,
      "totalTokens" double precision, "totalDuration" double precision, "spanCount" integer,
      "decisionPointCount" integer, "eventCount" integer, "mergeState" json, "isDerived" boolean, "isPosted" boolean,
      "deriveAfterS" double precision, models json, "modelCosts" jsonb, "isCostDerived" boolean,
      "hasComputed" boolean, "maskingVersion" bigint, masked jsonb, ${sql.raw(SENT_COLUMN_TYPES)})) as sent
    where traces.workspace_id = ${workspaceId} and traces.id = sent.id`.execute(trx);
}

/** Makes a trace that could not be derived wait before the next attempt. */
export async function postponeDerivation(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<void> {
  await sql`
    update traces set derive_after = now() + interval '10 minutes'
    where workspace_id = ${workspaceId} and id = ${traceId} and derive_after is not null`.execute(db);
}
