import type { SavedView } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

export const VIEW_COLUMNS = sql.raw("id, name, query, is_default, created_at");

export async function listSavedViews(db: Database, workspaceId: WorkspaceId): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select ${VIEW_COLUMNS} from saved_views where workspace_id = ${workspaceId} order by lower(name), created_at, id`.execute(
    db,
  );
  return rows;
}
