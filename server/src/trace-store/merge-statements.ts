import type { ParsedTrace } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import type { DerivedTrace } from "./derived-trace.ts";
import type { MergeState } from "./merge-state.ts";
import { modelNames } from "./model-columns.ts";

/** Deletes the rows of spans that are written again, and their events. Returns how many events were deleted. */
export async function deleteReplacedSpans(
  trx: Database,
  userId: string,
  traceId: string,
  spanIds: string[],
): Promise<number> {
  if (spanIds.length === 0) return 0;
  const ids = textList(spanIds);
  const { rows } = await sql<{ count: number }>`/* prepared */
    with deleted_spans as (
        delete from spans where user_id = ${userId} and trace_id = ${traceId} and id = any(${ids})),
      deleted_events as (
        delete from events where user_id = ${userId} and trace_id = ${traceId} and span_id = any(${ids})
        returning 1)
    select count(*)::integer as count from deleted_events`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Deletes everything from which a trace is derived; the caller stores it again, as one part. */
export async function deleteParts(trx: Database, userId: string, traceId: string): Promise<void> {
  await sql`/* prepared */
    delete from otlp_parts where user_id = ${userId} and trace_id = ${traceId}`.execute(trx);
}

/** What changes in the row of a trace into which a piece was merged. */
export interface MergedRow {
  id: string;
  spanCount: number;
  decisionPointCount: number;
  eventCount: number;
  mergeState: MergeState;
  /** Absent if the trace is derived later. */
  derived?: Omit<DerivedTrace, "completions" | "decisionPoints"> &
    Pick<ParsedTrace, "models" | "isCostDerived">;
}

const DERIVE_AFTER = sql`now() + interval '2 seconds'`;

export async function updateMergedTraces(trx: Database, userId: string, merged: MergedRow[]): Promise<void> {
  if (merged.length === 0) return;
  const sent = merged.map(({ derived, ...row }) => ({
    ...row,
    ...derived,
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
  await sql`/* prepared */
    update traces set
      ${unlessPosted("name", "name")},
      ${unlessPosted("status", "status")},
      tags = case when "isDerived" and not "isPosted"
        then array(select json_array_elements_text(sent.tags)) else traces.tags end,
      ${unlessPosted("startedAt", "started_at")},
      ${unlessPosted("endedAt", "ended_at")},
      ${ifDerived("sessionId", "session_id")},
      ${ifDerived("totalCost", "total_cost")},
      ${ifDerived("totalTokens", "total_tokens")},
      ${ifDerived("totalDuration", "total_duration")},
      models = case when not "isDerived" then traces.models
        when sent.models is not null then array(select json_array_elements_text(sent.models)) end,
      ${ifDerived("modelCosts", "model_costs")},
      ${ifDerived("isCostDerived", "is_cost_derived")},
      span_count = sent."spanCount",
      decision_point_count = sent."decisionPointCount",
      event_count = sent."eventCount",
      merge_state = sent."mergeState",
      derive_after = case when "isDerived" then null else ${DERIVE_AFTER} end,
      manifest_hash = null
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent (id text, name text, status text, tags json,
      "startedAt" timestamptz, "endedAt" timestamptz, "sessionId" text, "totalCost" double precision,
      "totalTokens" double precision, "totalDuration" double precision, "spanCount" integer,
      "decisionPointCount" integer, "eventCount" integer, "mergeState" json, "isDerived" boolean, "isPosted" boolean,
      models json, "modelCosts" jsonb, "isCostDerived" boolean)
    where traces.user_id = ${userId} and traces.id = sent.id`.execute(trx);
}

/** Makes a trace that could not be derived wait before the next attempt. */
export async function postponeDerivation(db: Database, userId: string, traceId: string): Promise<void> {
  await sql`
    update traces set derive_after = now() + interval '10 minutes'
    where user_id = ${userId} and id = ${traceId} and derive_after is not null`.execute(db);
}
