import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import { deleteSubscription } from "../billing/delete-subscription.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { deleteWorkspace } from "../workspaces/delete-workspace.ts";

/** Deletes a user and their workspace. Foreign keys cascade to sessions and tokens. */
export async function deleteUser(trx: Database, userId: UserId, workspaceId: WorkspaceId): Promise<void> {
  await deleteSubscription(trx, workspaceId);
  await deleteWorkspace(trx, workspaceId);
  await sql`delete from users where id = ${userId}`.execute(trx);
}
