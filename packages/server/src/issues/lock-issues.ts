import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** How far a workspace's problems are turned into issues, and which number is next. */
export interface IssueCursor {
  version: number;
  traceId: string;
  problem: number;
  nextNumber: number;
  /** The day, in UTC, on which the last issues were created, and how many. */
  newOn: string | null;
  newCount: number;
  today: string;
}

/**
 * Locks the workspace's issues until the transaction ends. Whoever changes one does this first, so a resolution and a run that breaks it
 * have one order, and numbers have no gaps. With `skipLocked`, returns undefined if somebody else changes them.
 */
export async function lockIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  { skipLocked = false } = {},
): Promise<IssueCursor | undefined> {
  await sql`insert into issue_cursors (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(
    trx,
  );
  const { rows } = await sql<IssueCursor>`
    select version, trace_id, problem, next_number, new_on::text as new_on, new_count,
      (now() at time zone 'utc')::date::text as today
    from issue_cursors where workspace_id = ${workspaceId} for update ${skipLocked ? sql`skip locked` : sql``}`.execute(
    trx,
  );
  return rows[0];
}
