import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** The user's workspace; undefined if the account was deleted meanwhile. */
export async function findWorkspace(db: Database, userId: UserId): Promise<WorkspaceId | undefined> {
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select workspace_id from memberships where user_id = ${userId}`.execute(db);
  return rows[0]?.workspaceId;
}
