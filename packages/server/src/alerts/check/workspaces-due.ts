import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** What the past says of rules is computed so often. */
export const PAST_MINUTES = 60;

/**
 * The workspaces whose rules are to be checked, those that wait for the longest first. Where no run changed since the last check, and
 * time alone changes nothing, they wait until their past is computed again.
 */
export async function workspacesDue(db: Database, tickMs: number): Promise<WorkspaceId[]> {
  const checkedBefore = (minutes: number) =>
    sql`coalesce(checked_at, '-infinity') <= now() - ${minutes} * interval '1 minute'`;
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select alert_cursors.workspace_id from alert_cursors
    left join trace_totals on trace_totals.workspace_id = alert_cursors.workspace_id
    where ${checkedBefore(tickMs / 60_000)}
      and (settled_version is distinct from coalesce(version, 0) or ${checkedBefore(PAST_MINUTES)})
      and exists (select from alert_rules where alert_rules.workspace_id = alert_cursors.workspace_id)
    order by checked_at nulls first`.execute(db);
  return rows.map(({ workspaceId }) => workspaceId);
}
