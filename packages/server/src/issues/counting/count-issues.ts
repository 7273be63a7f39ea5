import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { countProblems, endIgnoring } from "../count-problems.ts";
import type { IssueEvent } from "../events/issue-event.ts";
import { tellIssues } from "../events/tell-issues.ts";
import { lockIssues } from "../lock-issues.ts";
import { readIssues } from "../stored-issue.ts";
import type { IssuesLag } from "./issues-lag.ts";

interface CountIssuesOptions {
  db: Database;
  lag: IssuesLag;
  stopping: AbortSignal;
  onCounted: (rows: number) => void;
  /** Called after the commit. */
  onChanged: (workspaceId: WorkspaceId) => void;
}

/** What failed, by workspace: it is tried again at the next run. */
type Failures = Map<WorkspaceId, unknown>;

/**
 * Turns bad runs into issues in all workspaces where some are not counted. Processes share the work by the locks of workspaces. They take
 * turns, so an import of one does not delay the others, and one that fails does not stop them.
 */
export async function countIssues(options: CountIssuesOptions): Promise<void> {
  const { stopping } = options;
  const notCounted: Failures = new Map();
  const notReopened: Failures = new Map();
  for (let isBehind = true; isBehind && !stopping.aborted; ) {
    isBehind = await countSlices(options, notCounted);
    await endAllDueIgnoring(options, notReopened);
  }
  const failures = [...notCounted.values(), ...notReopened.values()];
  if (failures.length > 0) throw new AggregateError(failures, "Issues of some workspaces were not counted");
}

/** Counts a slice of each workspace. Returns whether one of them has more. */
async function countSlices(
  { db, lag, stopping, onCounted, onChanged }: CountIssuesOptions,
  failures: Failures,
): Promise<boolean> {
  const behind = await workspacesBehind(db);
  lag.found(behind);
  let hasMore = false;
  await forEach(behind, failures, stopping, async (workspaceId) => {
    const counted = await transaction(await db.of(workspaceId), (trx) => countProblems(trx, workspaceId));
    if (!counted) return;
    onCounted(counted.counted);
    onChanged(workspaceId);
    if (counted.isBehind) hasMore = true;
    else lag.caughtUp(workspaceId);
  });
  return hasMore;
}

async function endAllDueIgnoring(
  { db, stopping, onChanged }: CountIssuesOptions,
  failures: Failures,
): Promise<void> {
  await forEach(await workspacesWithEndedIgnoring(db), failures, stopping, async (workspaceId) => {
    await transaction(await db.of(workspaceId), (trx) => endDueIgnoring(trx, workspaceId));
    onChanged(workspaceId);
  });
}

async function forEach(
  workspaces: readonly WorkspaceId[],
  failures: Failures,
  stopping: AbortSignal,
  work: (workspaceId: WorkspaceId) => Promise<void>,
): Promise<void> {
  for (const workspaceId of workspaces) {
    if (stopping.aborted) return;
    if (failures.has(workspaceId)) continue;
    try {
      await work(workspaceId);
    } catch (error) {
      failures.set(workspaceId, error);
    }
  }
}

async function workspacesBehind(db: Database): Promise<WorkspaceId[]> {
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select trace_totals.workspace_id from trace_totals
      left join issue_cursors on issue_cursors.workspace_id = trace_totals.workspace_id
    where trace_totals.problems_version > coalesce(issue_cursors.version, 0) or issue_cursors.is_behind`.execute(
    db,
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

const IS_DUE = sql`status = 'ignored' and (ignored ->> 'untilDate')::timestamptz <= now()`;

async function workspacesWithEndedIgnoring(db: Database): Promise<WorkspaceId[]> {
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select distinct workspace_id from issues where ${IS_DUE}`.execute(db);
  return rows.map(({ workspaceId }) => workspaceId);
}

async function endDueIgnoring(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await lockIssues(trx, workspaceId);
  const { rows } = await sql<{ number: number }>`
    select number from issues where workspace_id = ${workspaceId} and ${IS_DUE}`.execute(trx);
  const due = await readIssues(
    trx,
    workspaceId,
    rows.map(({ number }) => number),
  );
  const events: IssueEvent[] = [];
  for (const issue of due) events.push(await endIgnoring(trx, workspaceId, issue, "the date has come"));
  await tellIssues(trx, workspaceId, events);
}
