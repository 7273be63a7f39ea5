import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import type { DayRange } from "../insights/days/read-days.ts";
import { startedIn } from "../insights/started-in.ts";

export interface CountedRuns {
  agent: string | undefined;
  range: DayRange;
}

/** A condition on rows of `traces`: ended runs of the agent that started in the time range. */
export const isCounted = (
  workspaceId: WorkspaceId,
  { agent, range }: CountedRuns,
): RawBuilder<unknown> => sql`
  traces.workspace_id = ${workspaceId} and traces.status <> 'RUNNING' and ${startedIn(range)}
    and ${agent === undefined ? sql`true` : sql`traces.agent_hash = ${agentHash(agent)}`}`;

/** `from` and `where` of a query that reads the scores of such runs. */
export const countedScores = (workspaceId: WorkspaceId, counted: CountedRuns): RawBuilder<unknown> => sql`
  from scores join traces on traces.workspace_id = ${workspaceId} and traces.id = scores.trace_id
  where scores.workspace_id = ${workspaceId} and not scores.is_waiting and ${isCounted(workspaceId, counted)}`;
