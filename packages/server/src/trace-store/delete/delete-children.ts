import type { DecisionPointType } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { deleteManifests } from "../rows/manifests.ts";
import type { TraceManifest } from "../rows/trace-manifest.ts";

/** Deletes all rows of traces, and frees their ids; returns the types of the deleted decision points, one entry each. */
export async function deleteRows(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
): Promise<DecisionPointType[]> {
  const ids = textList(traceIds);
  await sql`delete from traces where workspace_id = ${workspaceId} and id = any(${ids})`.execute(trx);
  const types = await deleteChildren(trx, workspaceId, traceIds);
  await deleteVerdicts(trx, workspaceId, traceIds);
  await deleteScores(trx, workspaceId, traceIds);
  await deleteManifests(trx, workspaceId, traceIds);
  await deleteProblems(trx, workspaceId, traceIds);
  await sql`delete from trace_owners where workspace_id = ${workspaceId} and trace_id = any(${ids})`.execute(
    trx.directory,
  );
  return types;
}

/** Deletes everything inside the traces; returns the types of the deleted decision points, one entry each. */
export async function deleteChildren(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
): Promise<DecisionPointType[]> {
  if (traceIds.length === 0) return [];
  const ids = textList(traceIds);
  const { rows } = await sql<{ type: DecisionPointType }>`/* prepared */
    with deleted_spans as (delete from spans where workspace_id = ${workspaceId} and trace_id = any(${ids})),
      deleted_events as (delete from events where workspace_id = ${workspaceId} and trace_id = any(${ids})),
      deleted_payloads as (delete from trace_payloads where workspace_id = ${workspaceId} and trace_id = any(${ids})),
      deleted_parts as (delete from otlp_parts where workspace_id = ${workspaceId} and trace_id = any(${ids}))
    delete from decision_points where workspace_id = ${workspaceId} and trace_id = any(${ids}) returning type`.execute(
    trx,
  );
  return rows.map((row) => row.type);
}

/** Deletes what people said about the decisions of traces. It stays while traces are only replaced. */
export async function deleteVerdicts(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
): Promise<void> {
  if (traceIds.length === 0) return;
  await sql`delete from verdicts where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)})`.execute(
    trx,
  );
}

/** Deletes what issues count of traces. */
export async function deleteProblems(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
): Promise<void> {
  await sql`delete from problem_runs where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)})`.execute(
    trx,
  );
}

/** Deletes the scores of traces, like verdicts. By default also those that wait: a later trace with the id is another one. */
export async function deleteScores(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
  { isWaitingKept = false } = {},
): Promise<void> {
  if (traceIds.length === 0) return;
  await sql`
    delete from scores
    where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)})
      and not (is_waiting and ${isWaitingKept})`.execute(trx);
}

/** Deletes only the packed payloads of the traces. */
export async function deletePayloads(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
): Promise<void> {
  if (traceIds.length === 0) return;
  await sql`/* prepared */
    delete from trace_payloads where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)})`.execute(
    trx,
  );
}

/** A replaced trace whose children can be compared with the stored ones. */
export interface ComparedTrace {
  id: string;
  manifest: TraceManifest;
}

/** Deletes only the stored children that differ from what was sent; returns the same as `deleteChildren`. */
export async function deleteChangedChildren(
  trx: Database,
  workspaceId: WorkspaceId,
  compared: ComparedTrace[],
): Promise<DecisionPointType[]> {
  const deleted = await Promise.all(
    compared.map(async ({ id, manifest }) => {
      const at = (positions: number[]) =>
        sql`workspace_id = ${workspaceId} and trace_id = ${id} and position = any(${positions}::integer[])`;
      const spans = manifest.outdatedPositions("spans");
      const events = manifest.outdatedPositions("events");
      const decisionPoints = manifest.outdatedPositions("decisionPoints");
      const [decisions] = await Promise.all([
        decisionPoints.length > 0 &&
          sql<{ type: DecisionPointType }>`/* prepared */
            delete from decision_points where ${at(decisionPoints)} returning type`.execute(trx),
        spans.length > 0 && sql`/* prepared */ delete from spans where ${at(spans)}`.execute(trx),
        events.length > 0 && sql`/* prepared */ delete from events where ${at(events)}`.execute(trx),
      ]);
      return decisions ? decisions.rows.map((row) => row.type) : [];
    }),
  );
  return deleted.flat();
}
