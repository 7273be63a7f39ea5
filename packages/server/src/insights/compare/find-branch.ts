import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { limitFacts } from "../limit-facts.ts";
import { NEIGHBOUR_COLUMNS, type Neighbour, type PathOfRun } from "./find-neighbours.ts";
import { afterPrefix, branchesTo } from "./step-path.ts";

const MAX_BRANCHES = 20;

/**
 * Finds completed runs of an agent that agree with a run up to some decision and there chose `step` instead; those with the
 * longest agreement first. Every beginning is a probe of an index, at most 64.
 */
export async function findBranch(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, path }: PathOfRun,
  step: number,
): Promise<Neighbour[]> {
  const prefixes = branchesTo(path, step);
  const hex = (all: Uint8Array[]) => all.map((one) => `\\x${Buffer.from(one).toString("hex")}`);
  const branches = sql`
    select found.*, branch.number from unnest(${hex(prefixes)}::bytea[], ${hex(prefixes.map(afterPrefix))}::bytea[])
      with ordinality as branch (first, after, number),
    lateral (
      select ${NEIGHBOUR_COLUMNS} from traces
      where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and status = 'COMPLETED' and outcome = 0
        and decision_path >= branch.first and decision_path < branch.after
      order by decision_path limit ${MAX_BRANCHES}
    ) as found
    order by branch.number limit ${MAX_BRANCHES}`;
  const { rows } = await sql<Neighbour>`${limitFacts(branches, sql`number, path`)}`.execute(db);
  return rows;
}
