import type { WorkspaceOfTrace } from "@whytrace/contract/schemas/workspaces/workspaces";
import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Which of the user's workspaces has the trace. */
export async function findTraceWorkspace(
  db: Database,
  userId: UserId,
  traceId: string,
): Promise<WorkspaceOfTrace["workspace"] | undefined> {
  const { rows: owners } = await sql<{ workspaceId: WorkspaceId }>`
    select workspace_id from trace_owners where trace_id = ${traceId}`.execute(db);
  const { rows } = await sql<WorkspaceOfTrace["workspace"]>`
    select workspaces.id, workspaces.slug, workspaces.name
    from memberships join workspaces on workspaces.id = memberships.workspace_id
    where memberships.user_id = ${userId} and memberships.workspace_id = ${owners[0]?.workspaceId ?? null}`.execute(
    db,
  );
  return rows[0];
}

/** Whether the workspace has a trace with this id. */
export async function hasTrace(db: Database, workspaceId: WorkspaceId, traceId: string): Promise<boolean> {
  const { rows } = await sql`
    select trace_id from trace_owners where trace_id = ${traceId} and workspace_id = ${workspaceId}`.execute(
    db,
  );
  return rows.length > 0;
}
