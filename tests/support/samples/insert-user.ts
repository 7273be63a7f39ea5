import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../../packages/server/src/db/database.ts";
import { asWorkspaceId, type WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";

/**
 * Inserts a user and their workspace directly, because registration hashes a password, which is slow on purpose. Nobody can
 * sign in with a password. There is no subscription.
 */
export async function insertUser(
  db: Database,
  email = `${randomUUID()}@example.test`,
  workspaceId = asWorkspaceId(randomUUID()),
): Promise<WorkspaceId> {
  await sql`
    with owner as (insert into users (email, password_hash) values (${email}, 'none') returning id),
      owned as (insert into workspaces (id) values (${workspaceId}) returning id)
    insert into memberships (user_id, workspace_id, role) select owner.id, owned.id, 'owner' from owner, owned`.execute(
    db,
  );
  return workspaceId;
}
