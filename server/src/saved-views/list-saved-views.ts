import type { SavedView } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

export const VIEW_COLUMNS = sql.raw("id, name, query, is_default, created_at");

export async function listSavedViews(db: Database, userId: string): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select ${VIEW_COLUMNS} from saved_views where user_id = ${userId} order by lower(name), created_at, id`.execute(
    db,
  );
  return rows;
}
