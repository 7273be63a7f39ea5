import type { SavedView } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { viewColumns } from "./list-saved-views.ts";

export const MAX_SAVED_VIEWS_PER_WORKSPACE = 50;

export function createSavedView(
  db: Database,
  { workspaceId, user }: MemberSession,
  { name, query }: Pick<SavedView, "name" | "query">,
): Promise<SavedView> {
  return transaction(db, async (trx) => {
    // Serializes the creations of a workspace, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`saved-views ${workspaceId}`}, 0))`.execute(
      trx,
    );
    const { rows } = await sql<SavedView>`
      insert into saved_views (workspace_id, created_by, name, query)
      select ${workspaceId}, ${user.id}, ${name}, ${query}
      where (select count(*) from saved_views where workspace_id = ${workspaceId}) < ${MAX_SAVED_VIEWS_PER_WORKSPACE}
      returning ${viewColumns(user.id)}`.execute(trx);
    const [view] = rows;
    if (!view)
      throw new HttpError(
        409,
        `Saved view limit reached (${MAX_SAVED_VIEWS_PER_WORKSPACE}). Delete one that you do not need.`,
      );
    return view;
  });
}
