import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { forEachWorkspace } from "../../db/statements/for-each-workspace.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** The day, in UTC, that a trace counts for: YYYY-MM-DD. */
export const dayOf = (startedAt: number | string): string => new Date(startedAt).toISOString().slice(0, 10);

/** The days of a workspace's traces that changed. */
interface ChangedDays {
  workspaceId: WorkspaceId;
  days: ReadonlySet<string>;
  /** What `addTotals` returned; if it is absent, the statement reads it. */
  version?: number | undefined;
}

/**
 * Records that traces of these days changed, so that their figures are aggregated again. Call it after `addTotals`: until the
 * transaction ends, nobody else gets a version, so a reader that does not see the change has a lower one.
 */
export async function touchDays(trx: Database, changes: ChangedDays[]): Promise<void> {
  const changed = changes.filter(({ days }) => days.size > 0);
  await forEachWorkspace(trx, changed, async (workspaces) => {
    const [only, ...others] = workspaces;
    const sent = workspaces.flatMap(({ workspaceId, days }) =>
      [...days].sort().map((day) => ({ workspaceId, day })),
    );
    if (only?.version !== undefined && others.length === 0) return insertDays(trx, only, only.version);
    const versions =
      only && others.length === 0
        ? sql`select workspace_id, day, version
            from trace_totals, unnest(${sent.map(({ day }) => day)}::date[]) as day where workspace_id = ${only.workspaceId}`
        : sql`select totals.workspace_id, sent.day, totals.version
            from json_to_recordset(${JSON.stringify(sent)}::json) as sent ("workspaceId" uuid, day date)
              join trace_totals as totals on totals.workspace_id = sent."workspaceId"`;
    const inserted = await sql`/* prepared */
      insert into decision_days (workspace_id, day, changed) ${versions}
      on conflict (workspace_id, day) do update set changed = excluded.changed`.execute(trx);
    return inserted.rows;
  });
}

/** Writes a version that is known, without reading another table: see `joinedOrApart`. */
async function insertDays(trx: Database, { workspaceId, days }: ChangedDays, version: number) {
  const rows = [...days].sort().map((day) => sql`(${workspaceId}::uuid, ${day}::date, ${version}::bigint)`);
  const inserted = await sql`${sql.raw(rows.length === 1 ? "/* prepared */" : "")}
    insert into decision_days (workspace_id, day, changed) values ${sql.join(rows)}
    on conflict (workspace_id, day) do update set changed = excluded.changed`.execute(trx);
  return inserted.rows;
}

/** Does the same after a trace was deleted, and deletes the day's figures, which may still refer to it. */
export async function clearDays(
  trx: Database,
  workspaceId: WorkspaceId,
  days: ReadonlySet<string>,
): Promise<void> {
  if (days.size === 0) return;
  await touchDays(trx, [{ workspaceId, days }]);
  await sql`
    update decision_days set added = -1, choices = null, transitions = null, errors = null
    where workspace_id = ${workspaceId} and day = any(${[...days]}::date[])`.execute(trx);
}

/** The days of a workspace's traces with decisions, and all days that are recorded. */
export async function listTraceDays(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<{ day: string; isRecorded: boolean }[]> {
  const { rows } = await sql<{ day: string; isRecorded: boolean }>`
    select day::text as day, bool_or(is_recorded) as is_recorded from (
      select (started_at at time zone 'utc')::date as day, false as is_recorded from traces
      where workspace_id = ${workspaceId} and decision_point_count > 0 group by 1
      union all select day, true from decision_days where workspace_id = ${workspaceId}
    ) as days group by day`.execute(db);
  return rows;
}
