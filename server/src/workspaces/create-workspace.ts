import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Creates the workspace of a new user, who owns it. */
export async function createWorkspace(trx: Database, userId: UserId): Promise<WorkspaceId> {
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    with created as (insert into workspaces default values returning id)
    insert into memberships (user_id, workspace_id, role) select ${userId}, id, 'owner' from created
    returning workspace_id`.execute(trx);
  const [created] = rows;
  if (!created) throw new Error("The workspace was not created");
  return created.workspaceId;
}
