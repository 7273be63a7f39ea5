import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Returns false if the workspace has no such view. */
export async function deleteSavedView(db: Database, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from saved_views where workspace_id = ${workspaceId} and id::text = ${id} returning id`.execute(
    db,
  );
  return rows.length > 0;
}
