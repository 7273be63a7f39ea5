import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { deleteChanges } from "../../live/record-changes.ts";
import { deleteMasking } from "../../masking/stored-masking.ts";
import { deleteRows } from "./delete-children.ts";
import { deleteInChunks } from "./delete-in-chunks.ts";

const AGENT_SESSIONS_PER_CHUNK = 1_000;

/**
 * Deletes every trace of a workspace that can no longer send traces, one short transaction after another. Yields after each, so
 * that the caller can pause or stop; the next call continues with the traces that are left.
 */
export async function* deleteAllTraces(db: Database, workspaceId: WorkspaceId): AsyncGenerator<void> {
  await sql`delete from masking_jobs where workspace_id = ${workspaceId}`.execute(db);
  await deleteMasking(db, workspaceId);
  yield* deleteTraces(db, workspaceId);
  await sql`delete from trace_owners where workspace_id = ${workspaceId}`.execute(db.directory);
  await sql`delete from otlp_parts where workspace_id = ${workspaceId}`.execute(db);
  await sql`delete from verdicts where workspace_id = ${workspaceId}`.execute(db);
  await sql`delete from outcome_definitions where workspace_id = ${workspaceId}`.execute(db);
  await sql`delete from outcome_jobs where workspace_id = ${workspaceId}`.execute(db);
  // Those that wait for traces.
  await sql`delete from scores where workspace_id = ${workspaceId}`.execute(db);
  yield* deleteAgentSessions(db, workspaceId);
  await sql`delete from decision_days where workspace_id = ${workspaceId}`.execute(db);
  await sql`delete from agent_releases where workspace_id = ${workspaceId}`.execute(db);
  await sql`delete from why_findings where workspace_id = ${workspaceId}`.execute(db);
  await sql`delete from trace_totals where workspace_id = ${workspaceId}`.execute(db);
  await deleteChanges(db, workspaceId);
}

async function* deleteTraces(db: Database, workspaceId: WorkspaceId): AsyncGenerator<void> {
  const deleteChunk = async (trx: Database, ids: string[]) => {
    await deleteRows(trx, workspaceId, ids);
    return ids.length;
  };
  // A request that was being stored when the account was deleted may still add traces.
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    for await (const _ of deleteInChunks({ db, workspaceId, where: sql`true`, deleteChunk })) {
      isLeft = true;
      yield;
    }
  }
}

async function* deleteAgentSessions(db: Database, workspaceId: WorkspaceId): AsyncGenerator<void> {
  for (let after = ""; ; ) {
    const { rows } = await sql<{ id: string }>`
      select session_id as id from agent_sessions where workspace_id = ${workspaceId} and session_id > ${after}
      order by session_id limit ${AGENT_SESSIONS_PER_CHUNK}`.execute(db);
    const ids = rows.map((row) => row.id);
    await sql`delete from agent_sessions where workspace_id = ${workspaceId} and session_id = any(${textList(ids)})`.execute(
      db,
    );
    after = ids.at(-1) ?? after;
    if (ids.length < AGENT_SESSIONS_PER_CHUNK) return;
    yield;
  }
}
