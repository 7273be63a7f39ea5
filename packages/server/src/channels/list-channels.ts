import type { Channel } from "@whytrace/contract/schemas/alerts/channels";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { CHANNEL_COLUMNS, describeChannel, type StoredChannel } from "./stored-channel.ts";

/** The oldest channel first. */
export async function listChannels(db: Database, workspaceId: WorkspaceId): Promise<Channel[]> {
  const { rows } = await sql<StoredChannel>`
    select ${CHANNEL_COLUMNS} from alert_channels where workspace_id = ${workspaceId} order by created_at, id`.execute(
    db,
  );
  return rows.map(describeChannel);
}

/** Deletes all channels of a workspace that is deleted, with their messages. */
export async function deleteAllChannels(db: Database, workspaceId: WorkspaceId): Promise<void> {
  const ofWorkspace = sql`workspace_id = ${workspaceId}`;
  await sql`delete from alert_channels where ${ofWorkspace}`.execute(db);
  await sql`delete from delivery_attempts where ${ofWorkspace}`.execute(db);
  await sql`delete from alert_deliveries where ${ofWorkspace}`.execute(db);
  await sql`delete from alert_events where ${ofWorkspace}`.execute(db);
}
