import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Deletes everything about the rules of a workspace that is deleted. */
export async function deleteAllAlerts(db: Database, workspaceId: WorkspaceId): Promise<void> {
  const ofWorkspace = sql`workspace_id = ${workspaceId}`;
  // First: it waits for who checks the rules, and nobody checks them after it.
  await sql`delete from alert_cursors where ${ofWorkspace}`.execute(db);
  await sql`delete from alert_rules where ${ofWorkspace}`.execute(db);
  await sql`delete from alert_incidents where ${ofWorkspace}`.execute(db);
  await sql`delete from alert_maintenance where ${ofWorkspace}`.execute(db);
}
