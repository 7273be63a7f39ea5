import type { ComparedRun, Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { releaseOf } from "../../decision-facts/release.ts";
import { errorsQuery } from "../../traces/errors-query.ts";
import { type AncestorSpan, readAncestors } from "./read-ancestors.ts";
import { readDecisions, type StoredDecision } from "./read-decisions.ts";

export interface ReadRun {
  run: ComparedRun;
  startedAtMs: number;
  decisions: StoredDecision[];
  /** Those that contain decisions. */
  spans: AncestorSpan[];
  /** Whether the run has more decisions than were read. */
  isTruncated: boolean;
}

/** Reads what is compared of a run; undefined if the workspace has no trace with this id. All its statements share a round trip. */
export async function readRun(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<ReadRun | undefined> {
  const [trace, error, decisions, spans] = await Promise.all([
    readTrace(db, workspaceId, traceId),
    readErrors(db, workspaceId, traceId),
    readDecisions(db, workspaceId, traceId),
    readAncestors(db, workspaceId, traceId),
  ]);
  if (!trace) return undefined;
  const { durationMs, serviceVersion: _, ...stored } = trace;
  return {
    run: { ...stored, ...error, durationMs, release: releaseOf(trace) },
    startedAtMs: Date.parse(trace.startedAt),
    decisions,
    spans,
    isTruncated: decisions.length < trace.decisions,
  };
}

type StoredRun = Omit<ComparedRun, "errors" | "error" | "release"> & { serviceVersion: string | null };

async function readTrace(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<StoredRun | undefined> {
  const { rows } = await sql<StoredRun & { status: Status }>`
    select id, name, status, tags, service_version, started_at, total_cost as cost_usd, total_tokens as tokens, span_count as spans,
      decision_point_count as decisions,
      coalesce(total_duration, extract(epoch from ended_at - started_at)::float8 * 1000) as duration_ms
    from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(db);
  return rows[0];
}

/** How many spans of the run failed, and the text of its first error, which may be an event. */
async function readErrors(db: Database, workspaceId: WorkspaceId, traceId: string) {
  const { rows } = await sql<Pick<ComparedRun, "errors" | "error">>`
    select (
        select count(*) from spans where workspace_id = ${workspaceId} and trace_id = ${traceId} and status = 'ERROR'
      ) as errors,
      (array_agg(coalesce(nullif(message, ''), name) order by at))[1] as error
    from (${errorsQuery(workspaceId)}) as errors where trace_id = ${traceId}`.execute(db);
  return rows[0] ?? { errors: 0, error: null };
}
