import type { AgentSummary } from "@whytrace/contract/schemas/insights/scorecards";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DaysRead } from "../days/read-days.ts";
import { runTotalsByAgent } from "../days/run-totals.ts";
import { readGroupNames } from "../names/read-group-names.ts";

const MAX_LISTED_AGENTS = 200;

/** The agents that decided something, those with the most runs first. */
export async function listAgents(
  db: Database,
  workspaceId: WorkspaceId,
  { tally }: DaysRead,
): Promise<AgentSummary[]> {
  const names = await readGroupNames(db, workspaceId, tally);
  return [...runTotalsByAgent(tally)]
    .map(([agent, { runs, failedRuns, decisions, costUsd }]) => ({
      name: names.agents.get(agent) ?? "",
      runs,
      failedRuns,
      decisions,
      costUsd,
    }))
    .sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_LISTED_AGENTS);
}
