import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { directoryOf } from "../db/sharding.ts";
import { textList } from "../db/text-list.ts";
import { deleteChanges } from "../live/record-changes.ts";
import { deleteRows } from "./delete-children.ts";
import { deleteInChunks } from "./delete-in-chunks.ts";

const AGENT_SESSIONS_PER_CHUNK = 1_000;

/**
 * Deletes every trace of a user who can no longer send traces, one short transaction after another. Yields after each, so
 * that the caller can pause or stop; the next call continues with the traces that are left.
 */
export async function* deleteAllTraces(db: Database, userId: string): AsyncGenerator<void> {
  yield* deleteTraces(db, userId);
  await sql`delete from trace_owners where user_id = ${userId}`.execute(directoryOf(db));
  await sql`delete from otlp_parts where user_id = ${userId}`.execute(db);
  await sql`delete from verdicts where user_id = ${userId}`.execute(db);
  yield* deleteAgentSessions(db, userId);
  await sql`delete from decision_days where user_id = ${userId}`.execute(db);
  await sql`delete from trace_totals where user_id = ${userId}`.execute(db);
  await deleteChanges(db, userId);
}

async function* deleteTraces(db: Database, userId: string): AsyncGenerator<void> {
  const deleteChunk = async (trx: Database, ids: string[]) => {
    await deleteRows(trx, userId, ids);
    return ids.length;
  };
  // A request that was being stored when the account was deleted may still add traces.
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    for await (const _ of deleteInChunks({ db, userId, where: sql`true`, deleteChunk })) {
      isLeft = true;
      yield;
    }
  }
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
