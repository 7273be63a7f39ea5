import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { countProblems, endIgnoring } from "./count-problems.ts";
import type { IssuesLag } from "./counting/issues-lag.ts";
import type { IssueEvent } from "./events/issue-event.ts";
import { tellIssues } from "./events/tell-issues.ts";
import { lockIssues } from "./lock-issues.ts";
import { readIssues } from "./stored-issue.ts";

export interface CountIssuesOptions {
  db: Database;
  publicUrl: string;
  lag: IssuesLag;
  stopping: AbortSignal;
  onCounted: (rows: number) => void;
  /** Called after the commit. */
  onChanged: (workspaceId: WorkspaceId) => void;
}

/** Turns bad runs into issues in all workspaces where some are not counted. Processes share the work by the locks of workspaces. */
export async function countIssues({
  db,
  publicUrl,
  lag,
  stopping,
  onCounted,
  onChanged,
}: CountIssuesOptions): Promise<void> {
  const behind = await workspacesBehind(db);
  lag.found(behind);
  for (const workspaceId of behind) {
    const own = await db.of(workspaceId);
    for (let isBehind = true; isBehind && !stopping.aborted; ) {
      const counted = await transaction(own, (trx) => countProblems(trx, workspaceId, { publicUrl }));
      onCounted(counted?.counted ?? 0);
      if (counted) onChanged(workspaceId);
      isBehind = counted?.isBehind ?? false;
      if (counted && !isBehind) lag.caughtUp(workspaceId);
    }
  }
  for (const workspaceId of await workspacesWithEndedIgnoring(db)) {
    if (stopping.aborted) return;
    await transaction(await db.of(workspaceId), (trx) => endDueIgnoring(trx, workspaceId, publicUrl));
    onChanged(workspaceId);
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

async function endDueIgnoring(trx: Database, workspaceId: WorkspaceId, publicUrl: string): Promise<void> {
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
  await tellIssues(trx, workspaceId, events, publicUrl);
}
