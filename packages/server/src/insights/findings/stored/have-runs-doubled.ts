import { sql } from "kysely";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { IS_SCORED_BAD } from "../../../trace-store/outcomes/lens-conditions.ts";
import type { DayRange } from "../../days/read-days.ts";
import { startedIn } from "../../started-in.ts";
import type { Lens } from "../runs/lens.ts";
import type { StoredList } from "./read-stored-findings.ts";

/** Larger lists are left to the worker. */
const FEW_RUNS = 1_000;
const MIN_AGE_MS = 60_000;

/**
 * Whether lists of few runs tell little of those that there are now: in the first hour of an agent they would say "too few", or that no
 * run has a bad score, for long. Each doubling is one look more at the data, and there are few of them.
 */
export async function haveRunsDoubled(
  db: Database,
  workspaceId: WorkspaceId,
  { range, agentHash, lens }: { range: DayRange; agentHash: number | undefined; lens: Lens },
  stored: readonly StoredList[],
): Promise<boolean> {
  const counted = stored.reduce((sum, { body }) => sum + body.runs, 0);
  const newest = Math.max(...stored.map(({ computedAt }) => Date.parse(computedAt)));
  if (counted >= FEW_RUNS || Date.now() - newest < MIN_AGE_MS) return false;
  const isWanted = agentHash === undefined ? sql`true` : sql`agent_hash = ${agentHash}`;
  const doubled = Math.max(1, 2 * counted);
  const hasNoBadRun = lens === "scored" && stored.every(({ body }) => body.badRuns === 0);
  const { rows } = await sql<{ runs: number; hasBadRun: boolean }>`
    select count(*) as runs, coalesce(bool_or(is_bad), false) as has_bad_run from (
      select ${IS_SCORED_BAD} as is_bad from traces
      where workspace_id = ${workspaceId} and ${isWanted} and decision_facts is not null and outcome <> 3 and ${startedIn(range)}
      limit ${doubled}) as ended`.execute(db);
  const [now] = rows;
  return now !== undefined && (now.runs >= doubled || (hasNoBadRun && now.hasBadRun));
}
