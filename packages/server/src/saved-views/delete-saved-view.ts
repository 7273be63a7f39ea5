import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { requireMaker } from "../workspaces/require-maker.ts";
import { NOT_YOUR_VIEW } from "./change-saved-view.ts";

/** Returns false if the workspace has no such view. */
export function deleteSavedView(
  db: Database,
  { workspaceId, user, role }: MemberSession,
  id: string,
  origin: Origin,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string; name: string; createdBy: string | null }>`
      delete from saved_views where workspace_id = ${workspaceId} and id::text = ${id}
      returning id, name, created_by`.execute(trx);
    const [view] = rows;
    if (!view) return false;
    requireMaker({ createdBy: view.createdBy, user, role }, NOT_YOUR_VIEW);
    const target = { kind: "view", id: view.id, name: view.name };
    await recordEvent(trx, workspaceId, origin, { action: "view.deleted", target });
    return true;
  });
}
