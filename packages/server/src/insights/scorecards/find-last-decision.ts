import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import type { DayRange } from "../days/read-days.ts";
import type { NamedRuns } from "../names/find-runs.ts";

/** When the newest trace before a range started that decided something; null if there is none. */
export async function findLastDecision(
  db: Database,
  workspaceId: WorkspaceId,
  { from }: DayRange,
  { agent }: NamedRuns,
): Promise<string | null> {
  const isAgent = agent === undefined ? sql`true` : sql`agent_hash = ${agentHash(agent)}`;
  // The days say where to look, so that traces without decisions need not be read.
  const { rows } = await sql<{ startedAt: string }>`
    select started_at from traces
    where workspace_id = ${workspaceId} and decision_types <> 0 and ${isAgent}
      and started_at >= (
        select min(day)::timestamp at time zone 'utc' from decision_days where workspace_id = ${workspaceId})
      and started_at < (
        select (max(day) + 1)::timestamp at time zone 'utc' from decision_days
        where workspace_id = ${workspaceId} and day < ${from}::date)
    order by started_at desc limit 1`.execute(db);
  return rows[0]?.startedAt ?? null;
}
