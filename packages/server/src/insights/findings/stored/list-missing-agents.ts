import { sql } from "kysely";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import type { DayRange } from "../../days/read-days.ts";
import { startedIn } from "../../started-in.ts";
import { MAX_AGENTS } from "./list-active-agents.ts";

/** The worker finds the lists that are missing beyond these. */
const MAX_AGENTS_READ = 1_000;
const MAX_RUNS_READ = 50;

/**
 * Agents that decided something in a range of days and are not listed. This is asked at each read, so it steps from agent to agent in
 * an index, and looks at the newest runs only of those that are not listed.
 */
export async function listMissingAgents(
  db: Database,
  workspaceId: WorkspaceId,
  range: DayRange,
  listed: readonly number[],
): Promise<number[]> {
  if (listed.length >= MAX_AGENTS) return [];
  const { rows } = await sql<{ agentHash: number }>`
    with recursive agents (agent_hash) as (
      select (select min(agent_hash) from traces where workspace_id = ${workspaceId})
      union all
      select (select min(traces.agent_hash) from traces
        where workspace_id = ${workspaceId} and traces.agent_hash > agents.agent_hash)
      from agents where agent_hash is not null
    )
    select agent_hash from (select agent_hash from agents limit ${MAX_AGENTS_READ}) as agents
    where agent_hash is not null and agent_hash <> all(${[...listed]}::bigint[]) and exists (
      select from (
        select decision_types, decision_facts from traces
        where workspace_id = ${workspaceId} and traces.agent_hash = agents.agent_hash and ${startedIn(range)}
        order by started_at desc, id desc limit ${MAX_RUNS_READ}
      ) as newest
      where decision_types <> 0 and decision_facts is not null)
    limit ${MAX_AGENTS - listed.length}`.execute(db);
  return rows.map(({ agentHash }) => agentHash);
}
