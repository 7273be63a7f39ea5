import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Deletes issues without runs that no person has touched. The caller has locked the workspace's issues. */
export async function dropEmptyIssues(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    select number from issues
    where workspace_id = ${workspaceId} and touched_at is null and not exists (
      select from issue_problems join problem_runs on problem_runs.workspace_id = ${workspaceId}
        and problem_runs.problem = issue_problems.problem
      where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = issues.number)`.execute(
    trx,
  );
  await deleteIssueRows(
    trx,
    workspaceId,
    rows.map(({ number }) => number),
  );
}

/** Deletes issues with everything that is recorded about them. */
export async function deleteIssueRows(
  trx: Database,
  workspaceId: WorkspaceId,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  const ofIssues = sql`workspace_id = ${workspaceId} and number = any(${numbers}::integer[])`;
  await Promise.all([
    sql`delete from issue_timeline where ${ofIssues}`.execute(trx),
    sql`delete from issue_problems where ${ofIssues}`.execute(trx),
    sql`delete from likely_jobs where ${ofIssues}`.execute(trx),
    sql`delete from issues where ${ofIssues}`.execute(trx),
  ]);
}

/** Deletes all issues of a workspace that is deleted. */
export async function deleteAllIssues(db: Database, workspaceId: WorkspaceId): Promise<void> {
  const ofWorkspace = sql`workspace_id = ${workspaceId}`;
  await sql`delete from issue_timeline where ${ofWorkspace}`.execute(db);
  await sql`delete from issue_problems where ${ofWorkspace}`.execute(db);
  await sql`delete from likely_jobs where ${ofWorkspace}`.execute(db);
  await sql`delete from issues where ${ofWorkspace}`.execute(db);
  await sql`delete from issue_cursors where ${ofWorkspace}`.execute(db);
}
