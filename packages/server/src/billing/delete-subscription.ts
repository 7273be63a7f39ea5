import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Deletes the subscription of a user who is being deleted: it may have no foreign key (`DROPPED_CONSTRAINTS`). */
export async function deleteSubscription(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from subscriptions where workspace_id = ${workspaceId}`.execute(trx);
}
