import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { isStatementTimeout } from "../db/is-statement-timeout.ts";
import { textList } from "../db/text-list.ts";
import { transaction } from "../db/transaction.ts";
import { deleteChanges } from "../live/record-changes.ts";
import { deleteChildren, deleteVerdicts } from "./delete-children.ts";
import { deleteManifests } from "./manifests.ts";

const FIRST_CHUNK_ROWS = 500;
const MAX_CHUNK_ROWS = 10_000;
/** Chunks grow and shrink towards this time: short enough to stop soon and to hold no lock for long. */
const TARGET_MS = 50;
const STATEMENT_TIMEOUT_MS = 2_000;
/** A chunk of one trace cannot shrink. The process may have to stop while it is deleted, so it cannot take longer. */
const SINGLE_TRACE_TIMEOUT_MS = 8_000;
const AGENT_SESSIONS_PER_CHUNK = 1_000;
const START = "-infinity";

/**
 * Deletes every trace of a user who can no longer send traces, one short transaction after another. Yields after each, so
 * that the caller can pause or stop; the next call continues with the traces that are left.
 */
export async function* deleteAllTraces(db: Database, userId: string): AsyncGenerator<void> {
  yield* deleteTraces(db, userId);
  await sql`delete from trace_owners where user_id = ${userId}`.execute(db);
  await sql`delete from otlp_parts where user_id = ${userId}`.execute(db);
  await sql`delete from verdicts where user_id = ${userId}`.execute(db);
  yield* deleteAgentSessions(db, userId);
  await sql`delete from decision_days where user_id = ${userId}`.execute(db);
  await sql`delete from trace_totals where user_id = ${userId}`.execute(db);
  await deleteChanges(db, userId);
}

async function* deleteTraces(db: Database, userId: string): AsyncGenerator<void> {
  let maxRows = FIRST_CHUNK_ROWS;
  // In the order in which the traces were stored, a chunk changes few pages, so it writes little to the write-ahead log,
  // for which every commit waits. Continuing where the last chunk ended avoids scanning the index entries of deleted traces.
  let from = START;
  for (;;) {
    const { ids, rowCount, lastCreatedAt } = await nextTraces(db, userId, from, maxRows);
    if (ids.length === 0 && from === START) return;
    if (ids.length === 0) from = START;
    else
      try {
        const startedAt = performance.now();
        await deleteChunk(db, userId, ids);
        const tookMs = performance.now() - startedAt;
        maxRows = Math.min(maxRows * Math.min(Math.max(TARGET_MS / tookMs, 0.5), 2), MAX_CHUNK_ROWS);
        from = lastCreatedAt;
      } catch (error) {
        if (ids.length === 1 || !isStatementTimeout(error)) throw error;
        maxRows = rowCount / 2;
      }
    yield;
  }
}

/** The next traces with at most `maxRows` rows in all tables together, but at least one trace. */
async function nextTraces(db: Database, userId: string, from: string, maxRows: number) {
  const { rows } = await sql<{ id: string; createdAt: string; rowCount: number }>`
    select id, created_at, 1 + span_count + decision_point_count + event_count as row_count from traces
    where user_id = ${userId} and created_at >= ${from}::timestamptz
    order by created_at limit ${Math.max(Math.floor(maxRows), 1)}`.execute(db);
  const ids: string[] = [];
  let lastCreatedAt = from;
  let rowCount = 0;
  for (const trace of rows) {
    if (ids.length > 0 && rowCount + trace.rowCount > maxRows) break;
    ids.push(trace.id);
    lastCreatedAt = trace.createdAt;
    rowCount += trace.rowCount;
  }
  return { ids, rowCount, lastCreatedAt };
}

function deleteChunk(db: Database, userId: string, ids: string[]): Promise<void> {
  const timeoutMs = ids.length === 1 ? SINGLE_TRACE_TIMEOUT_MS : STATEMENT_TIMEOUT_MS;
  return transaction(db, async (trx) => {
    // If the database crashes, a chunk that was not flushed is deleted again, so its commit need not wait for the disk.
    await sql`
      select set_config('statement_timeout', ${`${timeoutMs}`}, true), set_config('synchronous_commit', 'off', true)`.execute(
      trx,
    );
    await sql`delete from traces where user_id = ${userId} and id = any(${textList(ids)})`.execute(trx);
    await deleteChildren(trx, userId, ids);
    await deleteVerdicts(trx, userId, ids);
    await deleteManifests(trx, userId, ids);
    await sql`delete from trace_owners where user_id = ${userId} and trace_id = any(${textList(ids)})`.execute(
      trx,
    );
  });
}

async function* deleteAgentSessions(db: Database, userId: string): AsyncGenerator<void> {
  for (let after = ""; ; ) {
    const { rows } = await sql<{ id: string }>`
      select session_id as id from agent_sessions where user_id = ${userId} and session_id > ${after}
      order by session_id limit ${AGENT_SESSIONS_PER_CHUNK}`.execute(db);
    const ids = rows.map((row) => row.id);
    await sql`delete from agent_sessions where user_id = ${userId} and session_id = any(${textList(ids)})`.execute(
      db,
    );
    after = ids.at(-1) ?? after;
    if (ids.length < AGENT_SESSIONS_PER_CHUNK) return;
    yield;
  }
}
