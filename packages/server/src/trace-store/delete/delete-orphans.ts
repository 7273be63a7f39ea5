import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { deleteManifests } from "../rows/manifests.ts";
import { deleteChildren, deleteProblems, deleteScores, deleteVerdicts } from "./delete-children.ts";

const IDS_PER_CHUNK = 1_000;
const CHILD_TABLES = [
  "spans",
  "decision_points",
  "events",
  "trace_payloads",
  "trace_manifests",
  "verdicts",
  "problem_runs",
];

/**
 * Deletes orphaned rows, those of traces whose own row was deleted by hand: children, manifests and claimed ids. Returns the
 * number of these traces.
 */
export async function deleteOrphans(db: Database, workspaceId: WorkspaceId): Promise<number> {
  let removed = 0;
  const remove = async (ids: string[]) => {
    const missing = await withoutTrace(db, workspaceId, ids);
    if (missing.length > 0)
      removed += await transaction(db, (trx) => deleteOrphansOf(trx, workspaceId, missing));
  };
  const { rows } = await sql<{ id: string }>`
    select trace_id as id from trace_owners where workspace_id = ${workspaceId}`.execute(db.directory);
  const claimed = rows.map((row) => row.id);
  for (let start = 0; start < claimed.length; start += IDS_PER_CHUNK)
    await remove(claimed.slice(start, start + IDS_PER_CHUNK));
  for (const table of CHILD_TABLES)
    for await (const ids of parentIds(db, table, workspaceId)) await remove(ids);
  return removed;
}

async function* parentIds(db: Database, table: string, workspaceId: WorkspaceId): AsyncGenerator<string[]> {
  for (let after = ""; ; ) {
    const { rows } = await sql<{ id: string }>`
      select distinct trace_id as id from ${sql.table(table)}
      where workspace_id = ${workspaceId} and trace_id > ${after} order by trace_id limit ${IDS_PER_CHUNK}`.execute(
      db,
    );
    if (rows.length > 0) yield rows.map((row) => row.id);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < IDS_PER_CHUNK) return;
  }
}

async function withoutTrace(db: Database, workspaceId: WorkspaceId, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})`.execute(db);
  const existing = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !existing.has(id));
}

/**
 * Deletes the orphaned rows of those ids that have no trace; returns how many ids these are. Locks the ids first: a
 * transaction that is storing a trace under one of them ends before the traces are read again.
 */
export async function deleteOrphansOf(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<number> {
  await sql`
    select trace_id from trace_owners where workspace_id = ${workspaceId} and trace_id = any(${textList(ids)})
    order by trace_id for update`.execute(trx.directory);
  const missing = await withoutTrace(trx, workspaceId, ids);
  if (missing.length === 0) return 0;
  await deleteChildren(trx, workspaceId, missing);
  await deleteVerdicts(trx, workspaceId, missing);
  await deleteScores(trx, workspaceId, missing, { isWaitingKept: true });
  await deleteManifests(trx, workspaceId, missing);
  await deleteProblems(trx, workspaceId, missing);
  await sql`delete from trace_owners where workspace_id = ${workspaceId} and trace_id = any(${textList(missing)})`.execute(
    trx.directory,
  );
  return missing.length;
}
