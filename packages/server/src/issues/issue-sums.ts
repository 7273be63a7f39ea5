import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { IssueRange } from "./issue-range.ts";

/** What is counted of an issue's runs. */
export interface IssueSums {
  /** Runs in the range, and in the last 24 hours. */
  runs: number;
  recentRuns: number;
  firstSeen: string;
  lastSeen: string;
  problems: number;
}

/** The condition that a row of `problem_runs` is in a range. */
export const inRange = ({ from, to }: IssueRange) =>
  sql`problem_runs.started_at >= ${from}::date::timestamp at time zone 'utc'
    and problem_runs.started_at < ${to}::date::timestamp at time zone 'utc'`;

/** Joins the problems of issues with their runs. */
export const runsOfIssues = (workspaceId: WorkspaceId) => sql`issue_problems join problem_runs
  on problem_runs.workspace_id = ${workspaceId} and problem_runs.problem = issue_problems.problem`;

/** Counts the runs of issues that have any, by number: of these issues, or of all. A run of two problems of an issue counts once. */
export async function readIssueSums(
  db: Database,
  workspaceId: WorkspaceId,
  range: IssueRange,
  { numbers, releaseHash }: { numbers?: readonly number[]; releaseHash?: number | undefined } = {},
): Promise<ReadonlyMap<number, IssueSums>> {
  const isWanted = numbers ? sql`issue_problems.number = any(${numbers}::integer[])` : sql`true`;
  const isOfRelease = releaseHash === undefined ? sql`true` : sql`problem_runs.release_hash = ${releaseHash}`;
  // Problem by problem, from the index: a join would read all columns of all runs.
  const { rows } = await sql<IssueSums & { number: number }>`
    select issue_problems.number, counted.runs, counted.recent_runs, counted.first_seen, counted.last_seen
    from issue_problems cross join lateral (
      select count(*) filter (where ${inRange(range)}) as runs,
        count(*) filter (where problem_runs.started_at > now() - interval '24 hours') as recent_runs,
        min(problem_runs.started_at) as first_seen, max(problem_runs.started_at) as last_seen
      from problem_runs
      where problem_runs.workspace_id = ${workspaceId} and problem_runs.problem = issue_problems.problem and ${isOfRelease}) as counted
    where issue_problems.workspace_id = ${workspaceId} and ${isWanted} and counted.first_seen is not null`.execute(
    db,
  );
  const sums = new Map<number, IssueSums>();
  for (const { number, ...row } of rows) {
    const before = sums.get(number);
    sums.set(number, before ? addSums(before, row) : { ...row, problems: 1 });
  }
  const several = [...sums].filter(([, { problems }]) => problems > 1).map(([number]) => number);
  if (several.length === 0) return sums;
  const { rows: exact } = await sql<{ number: number; runs: number; recentRuns: number }>`
    select issue_problems.number, count(distinct trace_id) filter (where ${inRange(range)}) as runs,
      count(distinct trace_id) filter (where problem_runs.started_at > now() - interval '24 hours') as recent_runs
    from ${runsOfIssues(workspaceId)}
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = any(${several}::integer[]) and ${isOfRelease}
    group by issue_problems.number`.execute(db);
  for (const { number, ...counts } of exact) {
    const sum = sums.get(number);
    if (sum) sums.set(number, { ...sum, ...counts });
  }
  return sums;
}

const addSums = (a: IssueSums, b: Omit<IssueSums, "problems">): IssueSums => ({
  runs: a.runs + b.runs,
  recentRuns: a.recentRuns + b.recentRuns,
  firstSeen: [a.firstSeen, b.firstSeen].sort()[0] ?? a.firstSeen,
  lastSeen: [a.lastSeen, b.lastSeen].sort()[1] ?? a.lastSeen,
  problems: a.problems + 1,
});

/** For how many people the runs of issues in the range were made, by number; issues whose runs do not say it are left out. */
export async function readPeople(
  db: Database,
  workspaceId: WorkspaceId,
  range: IssueRange,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ number: number; people: number }>`
    select issue_problems.number, count(distinct problem_runs.person_hash) as people from ${runsOfIssues(workspaceId)}
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = any(${numbers}::integer[])
      and ${inRange(range)} and problem_runs.person_hash is not null
    group by issue_problems.number`.execute(db);
  return new Map(rows.map(({ number, people }) => [number, people]));
}
