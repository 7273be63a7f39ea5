import type { SavedView } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { VIEW_COLUMNS } from "./list-saved-views.ts";

export type SavedViewChange = Partial<Pick<SavedView, "name" | "query" | "isDefault">>;

/** Changes what is given. If the view becomes the default, no other one is. Undefined if the workspace has no such view. */
export function changeSavedView(
  db: Database,
  workspaceId: WorkspaceId,
  id: string,
  { name, query, isDefault }: SavedViewChange,
): Promise<SavedView | undefined> {
  return transaction(db, async (trx) => {
    // One statement locks all views of the workspace, in the same order for everyone, so that two defaults cannot be set at once.
    await sql`select id from saved_views where workspace_id = ${workspaceId} order by id for update`.execute(
      trx,
    );
    const { rows } = await sql<SavedView>`
      update saved_views set name = coalesce(${name ?? null}, name), query = coalesce(${query ?? null}, query),
        is_default = coalesce(${isDefault ?? null}, is_default)
      where workspace_id = ${workspaceId} and id::text = ${id} returning ${VIEW_COLUMNS}`.execute(trx);
    const [view] = rows;
    if (view && isDefault)
      await sql`
        update saved_views set is_default = false
        where workspace_id = ${workspaceId} and is_default and id <> ${view.id}`.execute(trx);
    return view;
  });
}
