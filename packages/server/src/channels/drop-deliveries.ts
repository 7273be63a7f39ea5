import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** A channel that was disabled sends nothing more: what waits for it is dropped. */
export async function dropDeliveries(
  trx: Database,
  workspaceId: WorkspaceId,
  channelId: string,
): Promise<void> {
  await sql`
    update alert_deliveries set state = 'dropped', next_attempt_at = null
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and state in ('waiting', 'retrying')`.execute(
    trx,
  );
}
