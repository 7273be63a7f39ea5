import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Creates the FREE subscription of a new user. */
export async function createSubscription(
  trx: Database,
  workspaceId: WorkspaceId,
  freeSessionsPerDay: number,
): Promise<void> {
  await sql`
    insert into subscriptions (workspace_id, tier, sessions_limit)
    values (${workspaceId}, 'FREE', ${freeSessionsPerDay})`.execute(trx);
}
