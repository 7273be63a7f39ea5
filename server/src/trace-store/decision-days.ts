import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { forEachTenant } from "../db/sharding.ts";

/** The day, in UTC, that a trace counts for: YYYY-MM-DD. */
export const dayOf = (startedAt: number | string): string => new Date(startedAt).toISOString().slice(0, 10);

/** The days of a user's traces that changed. */
export interface ChangedDays {
  userId: string;
  days: ReadonlySet<string>;
  /** What `addTotals` returned; if it is absent, the statement reads it. */
  version?: number | undefined;
}

/**
 * Records that traces of these days changed, so that their figures are added up again. Call it after `addTotals`: until the
 * transaction ends, nobody else gets a version, so a reader that does not see the change has a lower one.
 */
export async function touchDays(trx: Database, changes: ChangedDays[]): Promise<void> {
  const changed = changes.filter(({ days }) => days.size > 0);
  await forEachTenant(trx, changed, async (tenants) => {
    const [only, ...others] = tenants;
    const sent = tenants.flatMap(({ userId, days }) => [...days].sort().map((day) => ({ userId, day })));
    if (only?.version !== undefined && others.length === 0) return insertDays(trx, only, only.version);
    const versions =
      only && others.length === 0
        ? sql`select user_id, day, version
            from trace_totals, unnest(${sent.map(({ day }) => day)}::date[]) as day where user_id = ${only.userId}`
        : sql`select totals.user_id, sent.day, totals.version
            from json_to_recordset(${JSON.stringify(sent)}::json) as sent ("userId" uuid, day date)
              join trace_totals as totals on totals.user_id = sent."userId"`;
    const inserted = await sql`/* prepared */
      insert into decision_days (user_id, day, changed) ${versions}
      on conflict (user_id, day) do update set changed = excluded.changed`.execute(trx);
    return inserted.rows;
  });
}

/** A cluster plans this once, and a statement that reads the version each time. */
async function insertDays(trx: Database, { userId, days }: ChangedDays, version: number) {
  const rows = [...days].sort().map((day) => sql`(${userId}::uuid, ${day}::date, ${version}::bigint)`);
  const inserted = await sql`${sql.raw(rows.length === 1 ? "/* prepared */" : "")}
    insert into decision_days (user_id, day, changed) values ${sql.join(rows)}
    on conflict (user_id, day) do update set changed = excluded.changed`.execute(trx);
  return inserted.rows;
}

/** Does the same after a trace was deleted, and deletes the day's figures, which may still refer to it. */
export async function clearDays(trx: Database, userId: string, days: ReadonlySet<string>): Promise<void> {
  if (days.size === 0) return;
  await touchDays(trx, [{ userId, days }]);
  await sql`
    update decision_days set added = -1, choices = null, transitions = null, errors = null
    where user_id = ${userId} and day = any(${[...days]}::date[])`.execute(trx);
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
