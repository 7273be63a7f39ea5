import type { SavedView } from "@whytrace/contract";
import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { makerOnly, requireMaker } from "../workspaces/require-maker.ts";
import { viewColumns } from "./list-saved-views.ts";

export const NOT_YOUR_VIEW = makerOnly("view", "change");

type SavedViewChange = Partial<Pick<SavedView, "name" | "query" | "isDefault">>;

/**
 * Changes what is given; undefined if the workspace has no such view. Name and query are those of everybody, so only who made the
 * view, or an admin, changes them. The default is the person's own: if this view becomes it, no other one is.
 */
export function changeSavedView(
  db: Database,
  { workspaceId, user, role }: MemberSession,
  id: string,
  { name, query, isDefault }: SavedViewChange,
): Promise<SavedView | undefined> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string; createdBy: string | null }>`
      update saved_views set name = coalesce(${name ?? null}, name), query = coalesce(${query ?? null}, query)
      where workspace_id = ${workspaceId} and id::text = ${id} returning id, created_by`.execute(trx);
    const [view] = rows;
    if (!view) return undefined;
    if (name !== undefined || query !== undefined)
      requireMaker({ createdBy: view.createdBy, user, role }, NOT_YOUR_VIEW);
    if (isDefault !== undefined)
      await setDefault(trx, { workspaceId, userId: user.id, viewId: view.id, isDefault });
    const { rows: changed } = await sql<SavedView>`
      select ${viewColumns(user.id)} from saved_views
      where workspace_id = ${workspaceId} and id = ${view.id}`.execute(trx);
    return changed[0];
  });
}

async function setDefault(
  trx: Database,
  {
    workspaceId,
    userId,
    viewId,
    isDefault,
  }: { workspaceId: WorkspaceId; userId: UserId; viewId: string; isDefault: boolean },
): Promise<void> {
  if (isDefault)
    await sql`
      insert into saved_view_defaults (workspace_id, user_id, view_id) values (${workspaceId}, ${userId}, ${viewId})
      on conflict (workspace_id, user_id) do update set view_id = excluded.view_id`.execute(trx);
  else
    await sql`
      delete from saved_view_defaults
      where workspace_id = ${workspaceId} and user_id = ${userId} and view_id = ${viewId}`.execute(trx);
}
