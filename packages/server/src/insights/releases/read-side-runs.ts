import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { isOpen } from "../../trace-store/outcomes/lens-conditions.ts";
import type { ChosenSide } from "../drift/choose-sides.ts";
import { agentRuns } from "./agent-runs.ts";
import type { ComparedRun } from "./compared-run.ts";

/** More runs would tell hardly more, and the newest tell how it is now. */
const MAX_COMPARED_RUNS = 10_000;

export interface SideRuns {
  runs: readonly ComparedRun[];
  /** Whether there are more runs than are compared. */
  isTruncated: boolean;
}

interface RunRow {
  id: string;
  session: string;
  outcome: number;
  isOpen: boolean;
  costUsd: number | null;
  durationMs: number | null;
}

/** Reads the newest runs of one side. */
export async function readSideRuns(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string,
  { range, release }: ChosenSide,
): Promise<SideRuns> {
  const isOfSide = release === undefined ? sql`true` : sql`release = ${release}`;
  const { rows } = await sql<RunRow>`
    select id, outcome, ${isOpen(workspaceId)} as is_open, total_cost as cost_usd, total_duration as duration_ms,
      coalesce(
        's' || session_id,
        (select 'u' || split_part(pair, chr(31), 2) from unnest(metadata_pairs) as pair
          where split_part(pair, chr(31), 1) in ('user.id', 'enduser.id', 'userId', 'user_id') limit 1),
        't' || id) as session
    from (${agentRuns(workspaceId, agent, range)}) as traces
    where ${isOfSide} order by started_at desc, id desc limit ${sql.lit(MAX_COMPARED_RUNS + 1)}`.execute(db);
  const isTruncated = rows.length > MAX_COMPARED_RUNS;
  return { runs: await runInTimeSlices(describe(rows.slice(0, MAX_COMPARED_RUNS))), isTruncated };
}

const [BAD, UNKNOWN, OPEN] = [1, 2, 3];

function* describe(rows: readonly RunRow[]): Generator<undefined, ComparedRun[]> {
  const runs: ComparedRun[] = [];
  for (const { outcome, isOpen: goesOn, ...run } of rows) {
    const isAbandoned = outcome === OPEN && !goesOn;
    const isKnown = isAbandoned || (outcome !== OPEN && outcome !== UNKNOWN);
    runs.push({ ...run, isAbandoned, isBad: isKnown ? isAbandoned || outcome === BAD : null });
    yield;
  }
  return runs;
}
