import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { nearUser } from "../db/sharding.ts";
import { type Cursor, START } from "./cursor.ts";

const MAX_ROWS = 200;

export interface Changes {
  /** The cursor after these changes. */
  cursor: Cursor;
  /** One JSON array per transaction; null if the reader must reload. */
  traces: string[] | null;
  /** Whether there may be more to read. */
  isPartial: boolean;
}

interface Row extends Cursor {
  traces: string | null;
}

const CHANGED_AT_US = sql<number>`(extract(epoch from changed_at) * 1000000)::bigint`;

/**
 * Reads the changes after `cursor`, in order and without gaps. If the change of the cursor is no longer stored, or a
 * transaction changed too many traces to list, the reader must reload and continue from the newest change.
 */
export async function readChanges(account: Database, userId: string, cursor: Cursor): Promise<Changes> {
  const db = await nearUser(account, userId);
  const { rows } = await sql<Row>`
    select position, ${CHANGED_AT_US} as changed_at_us, traces from trace_changes
    where user_id = ${userId} and position >= ${cursor.position} order by position limit ${MAX_ROWS + 1}`.execute(
    db,
  );
  const known = cursor.position === 0 ? START : rows.shift();
  const isKnown = known?.position === cursor.position && known.changedAtUs === cursor.changedAtUs;
  const isNext = rows.length === 0 || rows[0]?.position === cursor.position + 1;
  const traces = rows.flatMap((row) => row.traces ?? []);
  if (!isKnown || !isNext || traces.length < rows.length)
    return { cursor: await newestCursor(db, userId), traces: null, isPartial: false };
  const { position, changedAtUs } = rows.at(-1) ?? cursor;
  return { cursor: { position, changedAtUs }, traces, isPartial: rows.length >= MAX_ROWS };
}

export async function newestCursor(db: Database, userId: string): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    select position, ${CHANGED_AT_US} as changed_at_us from trace_changes
    where user_id = ${userId} order by position desc limit 1`.execute(await nearUser(db, userId));
  return rows[0] ?? START;
}
