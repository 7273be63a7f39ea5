import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { wilsonInterval } from "../insights/statistics/hypothesis-tests/wilson-interval.ts";
import { releaseHash } from "../trace-store/problems/agent-releases.ts";
import type { Member } from "../workspaces/list-members.ts";
import { countEndedRuns } from "./counting/count-ended-runs.ts";
import { readIssueNames } from "./issue-names.ts";
import { daysOf, type IssueRange } from "./issue-range.ts";
import { type IssueSums, inRange, readPeople, runsOfIssues } from "./issue-sums.ts";
import { nameExplanations, PENDING } from "./likely/name-explanations.ts";
import { type Releases, readReleases, type SeenRelease } from "./read-releases.ts";
import { type StoredIssue, stateOf } from "./stored-issue.ts";

interface DescribedIssues {
  range: IssueRange;
  sums: ReadonlyMap<number, IssueSums>;
  members: readonly Member[];
}

/** Issues as the API returns them, for a page of a list. */
export async function describeIssues(
  db: Database,
  workspaceId: WorkspaceId,
  issues: readonly StoredIssue[],
  { range, sums, members }: DescribedIssues,
): Promise<Issue[]> {
  if (issues.length === 0) return [];
  const numbers = issues.map(({ number }) => number);
  const [namesOf, explanations, people, trends, ended, releases, seen] = await Promise.all([
    readIssueNames(db, workspaceId, issues),
    nameExplanations(db, workspaceId, issues),
    readPeople(db, workspaceId, range, numbers),
    readTrends(db, workspaceId, range, numbers),
    countEndedRuns(db, workspaceId, range),
    readReleases(db, workspaceId),
    readSeenReleases(db, workspaceId, numbers),
  ]);
  const days = daysOf(range);
  const now = Date.now();
  return issues.map((issue) => {
    const { number, resolution, regression, ignored } = issue;
    const { runs = 0, firstSeen = null, lastSeen = null, problems = 0 } = sums.get(number) ?? {};
    const of = ended.get(issue.agentHash) ?? 0;
    const inOrder = (seen.get(number) ?? [])
      .flatMap((row) => releases.of(row.agentHash, row.releaseHash) ?? [])
      .sort(byFirstSight);
    const state = stateOf(issue, now);
    const trend = trends.get(number);
    const seenOn = releases.byDay(issue.agentHash);
    return {
      number,
      ...namesOf(issue),
      state,
      resolution:
        state === "resolved" && resolution
          ? {
              in: resolution.in,
              release: resolution.release,
              note: resolution.note,
              url: resolution.url,
              at: resolution.at,
              isPending: isPending(issue, releases),
            }
          : null,
      regression,
      ignored:
        state === "ignored" && ignored
          ? {
              untilRuns: ignored.untilRuns,
              runsLeft: ignored.untilRuns === null ? null : ignored.untilRuns - ignored.counted,
              untilDate: ignored.untilDate,
              at: ignored.at,
            }
          : null,
      firstSeen,
      lastSeen,
      firstRelease: inOrder[0]?.name ?? null,
      lastRelease: inOrder.at(-1)?.name ?? null,
      runs,
      share: shareOf(runs, of),
      people: people.get(number) ?? null,
      trend: days.map((day) => ({ day, runs: trend?.get(day) ?? 0, release: seenOn.get(day) ?? null })),
      assignee: members.find(({ id }) => id === issue.assigneeId) ?? null,
      externalUrl: issue.externalUrl,
      problems,
      ...(explanations.get(number) ?? PENDING),
    };
  });
}

const byFirstSight = (a: SeenRelease, b: SeenRelease) => a.version - b.version;

/** Null without any run. A run of several agents' issues may be counted for an agent that ended fewer. */
export function shareOf(runs: number, of: number): Issue["share"] {
  if (of === 0) return null;
  const bad = Math.min(runs, of);
  const { low, high } = wilsonInterval(bad, of);
  return { value: bad / of, low, high, of };
}

const isPending = ({ resolution, agentHash }: StoredIssue, releases: Releases): boolean =>
  resolution?.in === "release" &&
  resolution.release !== null &&
  releases.of(agentHash, releaseHash(resolution.release)) === undefined;

type Trend = ReadonlyMap<string, number>;

/** Runs of issues by day. A run of two problems of an issue counts once. */
async function readTrends(
  db: Database,
  workspaceId: WorkspaceId,
  range: IssueRange,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Trend>> {
  const { rows } = await sql<{ number: number; problems: number }>`
    select number, count(*) as problems from issue_problems
    where workspace_id = ${workspaceId} and number = any(${numbers}::integer[])
    group by number`.execute(db);
  const [single, several] = [rows.filter(isSingle), rows.filter((row) => !isSingle(row))];
  // Telling runs apart takes four times as long as counting them.
  const trends = await Promise.all([
    countByDay(db, workspaceId, range, single, sql`count(*)`),
    countByDay(db, workspaceId, range, several, sql`count(distinct problem_runs.trace_id)`),
  ]);
  return new Map(trends.flatMap((byNumber) => [...byNumber]));
}

const isSingle = ({ problems }: { problems: number }) => problems === 1;

async function countByDay(
  db: Database,
  workspaceId: WorkspaceId,
  range: IssueRange,
  issues: readonly { number: number }[],
  count: RawBuilder<unknown>,
): Promise<ReadonlyMap<number, Trend>> {
  if (issues.length === 0) return new Map();
  const numbers = issues.map(({ number }) => number);
  const { rows } = await sql<{ number: number; day: string; runs: number }>`
    select issue_problems.number, (problem_runs.started_at at time zone 'utc')::date::text as day, ${count} as runs
    from ${runsOfIssues(workspaceId)}
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = any(${numbers}::integer[])
      and ${inRange(range)}
    group by 1, 2`.execute(db);
  const byNumber = Map.groupBy(rows, ({ number }) => number);
  return new Map(
    [...byNumber].map(([number, own]) => [number, new Map(own.map(({ day, runs }) => [day, runs]))]),
  );
}

async function readSeenReleases(db: Database, workspaceId: WorkspaceId, numbers: readonly number[]) {
  const { rows } = await sql<{ number: number; agentHash: number; releaseHash: number }>`
    select distinct issue_problems.number, problem_runs.agent_hash, problem_runs.release_hash
    from ${runsOfIssues(workspaceId)}
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = any(${numbers}::integer[])
      and problem_runs.release_hash is not null`.execute(db);
  return Map.groupBy(rows, ({ number }) => number);
}
