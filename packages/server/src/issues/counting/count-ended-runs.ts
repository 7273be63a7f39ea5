import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { dayOf } from "../../trace-store/counts/decision-days.ts";
import { readTotals, totalTraces } from "../../trace-store/counts/totals.ts";
import type { IssueRange } from "../issue-range.ts";

/** With more traces than this, older days are not counted for each request. */
const MAX_COUNTED_TRACES = 50_000;
const MAX_AGE_MS = 600_000;
const MAX_CACHED = 200;

type Runs = ReadonlyMap<number, number>;

interface CountedRuns {
  runs: Promise<Runs>;
  countedAt: number;
}

/** Runs of older days by workspace and range. */
const older = new Map<string, CountedRuns>();

/**
 * Counts the runs of agents with issues in a range that ended good or bad, by the agent's hash. In a large workspace, runs that began before today
 * are counted every ten minutes: they hardly change, and there are many of them.
 */
export async function countEndedRuns(
  db: Database,
  workspaceId: WorkspaceId,
  range: IssueRange,
): Promise<Runs> {
  const isLarge = totalTraces(await readTotals(db, workspaceId)) > MAX_COUNTED_TRACES;
  const today = dayOf(Date.now());
  if (!isLarge || range.from >= today) return countRuns(db, workspaceId, range);
  const [end = today] = [range.to, today].sort();
  const [before, after] = await Promise.all([
    countOlderRuns(db, workspaceId, { from: range.from, to: end }),
    end === range.to ? new Map<number, number>() : countRuns(db, workspaceId, { from: end, to: range.to }),
  ]);
  const sums = new Map(before);
  for (const [agentHash, runs] of after) sums.set(agentHash, (sums.get(agentHash) ?? 0) + runs);
  return sums;
}

function countOlderRuns(db: Database, workspaceId: WorkspaceId, range: IssueRange): Promise<Runs> {
  const key = `${workspaceId} ${range.from} ${range.to}`;
  const known = older.get(key);
  if (known && Date.now() - known.countedAt < MAX_AGE_MS) return known.runs;
  const runs = countRuns(db, workspaceId, range);
  older.delete(key);
  older.set(key, { runs, countedAt: Date.now() });
  runs.catch(() => older.delete(key));
  const [oldest = key] = older.keys();
  if (older.size > MAX_CACHED) older.delete(oldest);
  return runs;
}

async function countRuns(db: Database, workspaceId: WorkspaceId, { from, to }: IssueRange): Promise<Runs> {
  const { rows } = await sql<{ agentHash: number; runs: number }>`
    select agent_hash, count(*) as runs from traces
    where workspace_id = ${workspaceId} and outcome in (0, 1)
      and agent_hash in (select agent_hash from issues where workspace_id = ${workspaceId})
      and started_at >= ${from}::date::timestamp at time zone 'utc'
      and started_at < ${to}::date::timestamp at time zone 'utc'
    group by agent_hash`.execute(db);
  return new Map(rows.map(({ agentHash, runs }) => [agentHash, runs]));
}
