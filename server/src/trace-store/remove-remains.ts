import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { directoryOf } from "../db/sharding.ts";
import { textList } from "../db/text-list.ts";
import { transaction } from "../db/transaction.ts";
import { deleteChildren, deleteVerdicts } from "./delete-children.ts";
import { deleteManifests } from "./manifests.ts";

const IDS_PER_CHUNK = 1_000;
const CHILD_TABLES = ["spans", "decision_points", "events", "trace_payloads", "trace_manifests", "verdicts"];

/**
 * Deletes what is left of traces whose rows were deleted by hand: their children, manifests and claimed ids. Returns the
 * number of these traces.
 */
export async function removeRemains(db: Database, userId: string): Promise<number> {
  let removed = 0;
  const remove = async (ids: string[]) => {
    const missing = await withoutTrace(db, userId, ids);
    if (missing.length > 0) removed += await transaction(db, (trx) => deleteRemains(trx, userId, missing));
  };
  const { rows } = await sql<{ id: string }>`
    select trace_id as id from trace_owners where user_id = ${userId}`.execute(directoryOf(db));
  const claimed = rows.map((row) => row.id);
  for (let start = 0; start < claimed.length; start += IDS_PER_CHUNK)
    await remove(claimed.slice(start, start + IDS_PER_CHUNK));
  for (const table of CHILD_TABLES) for await (const ids of parentIds(db, table, userId)) await remove(ids);
  return removed;
}

async function* parentIds(db: Database, table: string, userId: string): AsyncGenerator<string[]> {
  for (let after = ""; ; ) {
    const { rows } = await sql<{ id: string }>`
      select distinct trace_id as id from ${sql.table(table)}
      where user_id = ${userId} and trace_id > ${after} order by trace_id limit ${IDS_PER_CHUNK}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => row.id);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < IDS_PER_CHUNK) return;
  }
}

async function withoutTrace(db: Database, userId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from traces where user_id = ${userId} and id = any(${textList(ids)})`.execute(db);
  const existing = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !existing.has(id));
}

/**
 * Deletes what is left of those of these traces that do not exist; returns their number. Locks the ids first: a transaction
 * that is storing a trace under one of them ends before the traces are read again.
 */
export async function deleteRemains(trx: Database, userId: string, ids: string[]): Promise<number> {
  await sql`
    select trace_id from trace_owners where user_id = ${userId} and trace_id = any(${textList(ids)})
    order by trace_id for update`.execute(directoryOf(trx));
  const missing = await withoutTrace(trx, userId, ids);
  if (missing.length === 0) return 0;
  await deleteChildren(trx, userId, missing);
  await deleteVerdicts(trx, userId, missing);
  await deleteManifests(trx, userId, missing);
  await sql`delete from trace_owners where user_id = ${userId} and trace_id = any(${textList(missing)})`.execute(
    directoryOf(trx),
  );
  return missing.length;
}
