import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { releaseHash as hashOfRelease } from "../trace-store/problems/agent-releases.ts";
import { addTimelineEntry } from "./add-timeline-entry.ts";
import { breaksResolution, type CountedRun } from "./breaks-resolution.ts";
import { createIssues } from "./create-issues.ts";
import { dropEmptyIssues } from "./drop-empty-issues.ts";
import type { IssueEvent } from "./events/issue-event.ts";
import { tellIssues } from "./events/tell-issues.ts";
import { addCountedRuns } from "./likely/refresh-likely.ts";
import { type IssueCursor, lockIssues } from "./lock-issues.ts";
import { readReleases } from "./read-releases.ts";
import { readIssues, type StoredIssue, type StoredRegression, updateIssue } from "./stored-issue.ts";

const MAX_ROWS = 500;

/** A row of `problem_runs` that was not counted yet. */
interface UncountedRun extends CountedRun {
  traceId: string;
  problem: number;
  agentHash: number;
  version: number;
}

interface CountedProblems {
  /** Rows that were counted. */
  counted: number;
  /** Whether more are left. */
  isBehind: boolean;
}

/**
 * Turns the next bad runs of a workspace into issues, in one transaction: creates issues of new problems, reopens those that were
 * resolved or ignored where the runs say so, and announces both. The cursor moves in the same transaction, so each row is counted, and
 * each event announced, exactly once, whatever is killed. Returns undefined if somebody else does it.
 */
export async function countProblems(
  trx: Database,
  workspaceId: WorkspaceId,
): Promise<CountedProblems | undefined> {
  // A workspace that is deleted meanwhile has none, and gets no cursor.
  if ((await readVersions(trx, workspaceId)).reached === 0) return undefined;
  const cursor = await lockIssues(trx, workspaceId, { skipLocked: true });
  if (!cursor) return undefined;
  // Before the rows: whoever sees a version sees all rows up to it, so nothing is skipped.
  const { reached, gone } = await readVersions(trx, workspaceId);
  const rows = await nextRows(trx, workspaceId, cursor);
  const last = rows.at(-1);
  const isBehind = rows.length === MAX_ROWS;
  const numbers = await numbersOf(trx, workspaceId, rows);
  const {
    created,
    numbers: newNumbers,
    ...moved
  } = await createIssues(trx, workspaceId, cursor, {
    rows: rows.filter(({ problem }) => !numbers.has(problem)),
  });
  const found = rows.flatMap((row) => {
    const number = numbers.get(row.problem);
    return number === undefined ? [] : { ...row, number };
  });
  const reopened = await reopenIssues(trx, workspaceId, found);
  const placed = [
    ...found,
    ...rows.flatMap((row) => {
      const number = newNumbers.get(row.problem);
      return number === undefined ? [] : { ...row, number };
    }),
  ];
  await addCountedRuns(trx, workspaceId, countRuns(placed));
  await tellIssues(trx, workspaceId, [...newEvents(created, placed), ...reopened]);
  const isLastSeen = last !== undefined && last.version >= reached;
  await moveCursor(trx, workspaceId, {
    ...moved,
    ...(last && (isLastSeen || isBehind)
      ? last
      : { version: Math.max(reached, cursor.version), traceId: "", problem: 0 }),
    isBehind,
  });
  if (gone > cursor.version) await dropEmptyIssues(trx, workspaceId);
  return { counted: rows.length, isBehind };
}

/** The versions at which a run last changed its problems, and at which one last lost a problem. */
async function readVersions(
  trx: Database,
  workspaceId: WorkspaceId,
): Promise<{ reached: number; gone: number }> {
  const { rows } = await sql<{ reached: number; gone: number }>`
    select problems_version as reached, problems_gone_version as gone from trace_totals
    where workspace_id = ${workspaceId}`.execute(trx);
  return rows[0] ?? { reached: 0, gone: 0 };
}

async function nextRows(
  trx: Database,
  workspaceId: WorkspaceId,
  { version, traceId, problem }: IssueCursor,
): Promise<UncountedRun[]> {
  const { rows } = await sql<UncountedRun>`
    select trace_id, problem, agent_hash, version, started_at, release_hash, is_quiet from problem_runs
    where workspace_id = ${workspaceId}
      and (version, trace_id, problem) > (${version}::bigint, ${traceId}, ${problem}::bigint)
    order by version, trace_id, problem limit ${MAX_ROWS}`.execute(trx);
  return rows;
}

/** The numbers of the issues that have these problems already. */
async function numbersOf(
  trx: Database,
  workspaceId: WorkspaceId,
  rows: readonly UncountedRun[],
): Promise<ReadonlyMap<number, number>> {
  if (rows.length === 0) return new Map();
  const problems = [...new Set(rows.map(({ problem }) => problem))];
  const { rows: found } = await sql<{ problem: number; number: number }>`
    select problem, number from issue_problems
    where workspace_id = ${workspaceId} and problem = any(${problems}::bigint[])`.execute(trx);
  return new Map(found.map(({ problem, number }) => [problem, number]));
}

type RunOfIssue = UncountedRun & { number: number };

/** How many runs each issue gets. A run with two of its problems counts once. */
const countRuns = (placed: readonly RunOfIssue[]) =>
  [...Map.groupBy(placed, ({ number }) => number)].map(([number, own]) => ({
    number,
    runs: new Set(own.map(({ traceId }) => traceId)).size,
  }));

/** An issue that is made of quiet runs alone is not announced. */
const newEvents = (created: readonly { number: number }[], placed: readonly RunOfIssue[]): IssueEvent[] => {
  const loud = new Map(placed.filter(({ isQuiet }) => !isQuiet).map((run) => [run.number, run.traceId]));
  return created.flatMap(({ number }) => {
    const traceId = loud.get(number);
    return traceId === undefined ? [] : { number, type: "issue.new" as const, traceId };
  });
};

/** Reopens issues whose resolution a run breaks, and those that were ignored until so many runs came. Returns what to announce. */
async function reopenIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  rows: readonly RunOfIssue[],
): Promise<IssueEvent[]> {
  if (rows.length === 0) return [];
  const issues = await readIssues(trx, workspaceId, [...new Set(rows.map(({ number }) => number))]);
  const closed = issues.filter(({ status }) => status === "resolved" || status === "ignored");
  if (closed.length === 0) return [];
  const releases = await readReleases(trx, workspaceId);
  const events: IssueEvent[] = [];
  for (const issue of closed) {
    const own = rows.filter(({ number }) => number === issue.number);
    if (issue.status === "ignored") events.push(...(await countIgnored(trx, workspaceId, issue, own)));
    const { resolution } = issue;
    if (issue.status !== "resolved" || !resolution) continue;
    const fixedIn = {
      ...resolution,
      releaseHash: (resolution.release && hashOfRelease(resolution.release)) || null,
    };
    const breaking = own.find((run) =>
      breaksResolution(run, fixedIn, (hash) => releases.of(run.agentHash, hash)?.version),
    );
    if (!breaking) continue;
    const { traceId, agentHash, releaseHash } = breaking;
    const release = releaseHash === null ? null : (releases.of(agentHash, releaseHash)?.name ?? null);
    const regression: StoredRegression = { at: new Date().toISOString(), release, traceId };
    await updateIssue(
      trx,
      workspaceId,
      issue,
      { status: "open", regression, isAcknowledged: false },
      { isTouched: false },
    );
    await addTimelineEntry(trx, workspaceId, {
      number: issue.number,
      kind: "regressed",
      details: { release, traceId },
    });
    events.push({ number: issue.number, type: "issue.regressed", traceId });
  }
  return events;
}

async function countIgnored(
  trx: Database,
  workspaceId: WorkspaceId,
  issue: StoredIssue,
  rows: readonly RunOfIssue[],
): Promise<IssueEvent[]> {
  const { ignored } = issue;
  if (!ignored || ignored.untilRuns === null) return [];
  const counted = ignored.counted + new Set(rows.map(({ traceId }) => traceId)).size;
  if (counted < ignored.untilRuns) {
    await updateIssue(trx, workspaceId, issue, { ignored: { ...ignored, counted } }, { isTouched: false });
    return [];
  }
  return [await endIgnoring(trx, workspaceId, issue, `${ignored.untilRuns} more runs`)];
}

/** Opens an issue that was ignored until something happened. Returns what to announce. */
export async function endIgnoring(
  trx: Database,
  workspaceId: WorkspaceId,
  issue: StoredIssue,
  reason: string,
): Promise<IssueEvent> {
  const update = { status: "open", ignored: null, isAcknowledged: true } as const;
  await updateIssue(trx, workspaceId, issue, update, { isTouched: false });
  await addTimelineEntry(trx, workspaceId, { number: issue.number, kind: "reopened", details: { reason } });
  return { number: issue.number, type: "issue.reopened", reason };
}

interface MovedCursor
  extends Pick<IssueCursor, "version" | "traceId" | "problem" | "nextNumber" | "newOn" | "newCount"> {
  isBehind: boolean;
}

async function moveCursor(
  trx: Database,
  workspaceId: WorkspaceId,
  { version, traceId, problem, nextNumber, newOn, newCount, isBehind }: MovedCursor,
): Promise<void> {
  await sql`
    update issue_cursors set version = ${version}, trace_id = ${traceId}, problem = ${problem}, next_number = ${nextNumber},
      new_on = ${newOn}::date, new_count = ${newCount}, is_behind = ${isBehind}
    where workspace_id = ${workspaceId}`.execute(trx);
}
