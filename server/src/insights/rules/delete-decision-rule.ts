import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

/** Returns false if the user has no such rule. */
export async function deleteDecisionRule(db: Database, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from decision_rules where user_id = ${userId} and id::text = ${id} returning id`.execute(db);
  return rows.length > 0;
}
