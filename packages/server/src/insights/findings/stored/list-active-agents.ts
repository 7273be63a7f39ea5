import { sql } from "kysely";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import type { DayRange } from "../../days/read-days.ts";
import { startedIn } from "../../started-in.ts";

/** Findings of further agents are computed when somebody asks for them. */
export const MAX_AGENTS = 200;

/** The hashes of agents that decided something in a range of days, those with the most runs first. */
export async function listActiveAgents(
  db: Database,
  workspaceId: WorkspaceId,
  range: DayRange,
): Promise<number[]> {
  const { rows } = await sql<{ agentHash: number }>`
    select agent_hash from traces
    where workspace_id = ${workspaceId} and decision_types <> 0 and agent_hash is not null and ${startedIn(range)}
    group by agent_hash order by count(*) desc, agent_hash limit ${MAX_AGENTS}`.execute(db);
  return rows.map(({ agentHash }) => agentHash);
}
