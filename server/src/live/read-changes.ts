import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { type Cursor, START } from "./cursor.ts";

const READ_AT_ONCE = 200;

export interface Changes {
  /** Where the reader is after these. */
  cursor: Cursor;
  /** The changes of traces as JSON, one array a transaction; null when they cannot be told one by one. */
  traces: string[] | null;
  /** Whether there may be more to read. */
  isPartial: boolean;
}

interface Row extends Cursor {
  traces: string | null;
}

const MOMENT = sql<number>`(extract(epoch from changed_at) * 1000000)::bigint`;

/**
 * What came after `cursor`, in order and without a gap. The change that the cursor names must still be there as the
 * reader knew it; if it is not, or if too many traces changed at once, the reader is to look at everything anew and
 * goes on from the newest change.
 */
export async function readChanges(db: Database, userId: string, cursor: Cursor): Promise<Changes> {
  const { rows } = await sql<Row>`
    select position, ${MOMENT} as moment, traces from trace_changes
    where user_id = ${userId} and position >= ${cursor.position} order by position limit ${READ_AT_ONCE + 1}`.execute(
    db,
  );
  const known = cursor.position === 0 ? START : rows.shift();
  const isKnown = known?.position === cursor.position && known.moment === cursor.moment;
  const isNext = rows.length === 0 || rows[0]?.position === cursor.position + 1;
  const traces = rows.flatMap((row) => row.traces ?? []);
  if (!isKnown || !isNext || traces.length < rows.length)
    return { cursor: await newestCursor(db, userId), traces: null, isPartial: false };
  const { position, moment } = rows.at(-1) ?? cursor;
  return { cursor: { position, moment }, traces, isPartial: rows.length >= READ_AT_ONCE };
}

export async function newestCursor(db: Database, userId: string): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    select position, ${MOMENT} as moment from trace_changes
    where user_id = ${userId} order by position desc limit 1`.execute(db);
  return rows[0] ?? START;
}
