import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

interface Owner {
  email: string;
  isEmailVerified: boolean;
}

/** Who gets the mails about a workspace's usage and payments. */
export async function listOwners(db: Database, workspaceId: WorkspaceId): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select users.email, users.email_verified_at is not null as is_email_verified
    from memberships join users on users.id = memberships.user_id
    where memberships.workspace_id = ${workspaceId} and memberships.role = 'owner'
    order by users.email`.execute(db);
  return rows;
}
