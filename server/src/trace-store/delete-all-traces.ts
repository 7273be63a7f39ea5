import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { transaction } from "../db/transaction.ts";
import { deleteChanges } from "../live/record-changes.ts";
import { deleteChildren } from "./delete-children.ts";
import { deleteManifests } from "./manifests.ts";

const CHUNK_SIZE = 500;

/** Deletes every trace of a user who can no longer send traces, in transactions of limited size. */
export async function deleteAllTraces(db: Database, userId: string): Promise<void> {
  while ((await deleteChunk(db, userId)) === CHUNK_SIZE);
  await sql`delete from trace_owners where user_id = ${userId}`.execute(db);
  await sql`delete from trace_totals where user_id = ${userId}`.execute(db);
  await sql`delete from agent_sessions where user_id = ${userId}`.execute(db);
  await deleteChanges(db, userId);
}

function deleteChunk(db: Database, userId: string): Promise<number> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from traces where user_id = ${userId} order by id limit ${CHUNK_SIZE} for update`.execute(
      trx,
    );
    const ids = rows.map((row) => row.id);
    if (ids.length === 0) return 0;
    await deleteChildren(trx, userId, ids);
    await deleteManifests(trx, userId, ids);
    await sql`delete from traces where user_id = ${userId} and id = any(${textList(ids)})`.execute(trx);
    await sql`delete from trace_owners where user_id = ${userId} and trace_id = any(${textList(ids)})`.execute(
      trx,
    );
    return ids.length;
  });
}
