import type { SavedView } from "@whytrace/contract";
import { sql } from "kysely";
import { createdByColumn } from "../auth/created-by.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** A view as this person sees it: each has a default of their own, and a key has none. */
export const viewColumns = (userId: string | undefined) => sql`
  id, name, query, created_at, ${createdByColumn("saved_views.created_by")}, exists (
    select from saved_view_defaults as defaults
    where defaults.workspace_id = saved_views.workspace_id and defaults.view_id = saved_views.id
      and defaults.user_id = ${userId ?? null}::uuid) as is_default`;

export async function listSavedViews(
  db: Database,
  workspaceId: WorkspaceId,
  userId?: string,
): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select ${viewColumns(userId)} from saved_views where workspace_id = ${workspaceId}
    order by lower(name), created_at, id`.execute(db);
  return rows;
}
