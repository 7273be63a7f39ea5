import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

export interface Member {
  id: string;
  /** The address of people without a name. */
  name: string;
}

/** Who belongs to a workspace. */
export async function listMembers(db: Database, workspaceId: WorkspaceId): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select users.id, coalesce(users.name, users.email) as name from memberships join users on users.id = memberships.user_id
    where memberships.workspace_id = ${workspaceId} order by users.id`.execute(db);
  return rows;
}

export async function isMember(db: Database, workspaceId: WorkspaceId, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from memberships where workspace_id = ${workspaceId} and user_id::text = ${userId}`.execute(db);
  return rows.length > 0;
}
