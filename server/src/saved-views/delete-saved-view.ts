import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Returns false if the user has no such view. */
export async function deleteSavedView(db: Database, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from saved_views where user_id = ${userId} and id::text = ${id} returning id`.execute(db);
  return rows.length > 0;
}
