import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Adds a workspace that nobody belongs to. Returns false if it is there already. */
export async function addWorkspace(trx: Database, workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await sql`
    insert into workspaces (id) values (${workspaceId}) on conflict (id) do nothing returning id`.execute(
    trx,
  );
  return rows.length > 0;
}
