import { MAX_SAVED_VIEWS_PER_USER, type SavedView } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { VIEW_COLUMNS } from "./list-saved-views.ts";

export function createSavedView(
  db: Database,
  userId: string,
  { name, query }: Pick<SavedView, "name" | "query">,
): Promise<SavedView> {
  return transaction(db, async (trx) => {
    // Serializes the creations of a user, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`saved-views ${userId}`}, 0))`.execute(trx);
    const { rows } = await sql<SavedView>`
      insert into saved_views (user_id, name, query) select ${userId}, ${name}, ${query}
      where (select count(*) from saved_views where user_id = ${userId}) < ${MAX_SAVED_VIEWS_PER_USER}
      returning ${VIEW_COLUMNS}`.execute(trx);
    const [view] = rows;
    if (!view)
      throw new HttpError(
        409,
        `Saved view limit reached (${MAX_SAVED_VIEWS_PER_USER}). Delete one that you do not need.`,
      );
    return view;
  });
}
