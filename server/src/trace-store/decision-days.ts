import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";

/** The day, in UTC, that a trace counts for: YYYY-MM-DD. */
export const dayOf = (startedAt: number | string): string => new Date(startedAt).toISOString().slice(0, 10);

/**
 * Records that traces of these days changed, so that their figures are added up again. Call it after `addTotals`: until the
 * transaction ends, nobody else gets a version, so a reader that does not see the change has a lower one.
 */
export async function touchDays(trx: Database, userId: string, days: ReadonlySet<string>): Promise<void> {
  if (days.size === 0) return;
  await sql`/* prepared */
    insert into decision_days (user_id, day, changed)
    select ${userId}, day::date, (select version from trace_totals where user_id = ${userId})
    from unnest(${textList([...days])}) as day
    on conflict (user_id, day) do update set changed = excluded.changed`.execute(trx);
}

/** Does the same after a trace was deleted, and deletes the day's figures, which may still refer to it. */
export async function clearDays(trx: Database, userId: string, days: ReadonlySet<string>): Promise<void> {
  if (days.size === 0) return;
  await touchDays(trx, userId, days);
  await sql`
    update decision_days set added = -1, choices = null, transitions = null, errors = null
    where user_id = ${userId} and day = any(${textList([...days])}::date[])`.execute(trx);
}

/** The days of a user's traces with decisions, and all days that are recorded. */
export async function listTraceDays(
  db: Database,
  userId: string,
): Promise<{ day: string; isRecorded: boolean }[]> {
  const { rows } = await sql<{ day: string; isRecorded: boolean }>`
    select day::text as day, bool_or(is_recorded) as is_recorded from (
      select (started_at at time zone 'utc')::date as day, false as is_recorded from traces
      where user_id = ${userId} and decision_point_count > 0 group by 1
      union all select day, true from decision_days where user_id = ${userId}
    ) as days group by day`.execute(db);
  return rows;
}
