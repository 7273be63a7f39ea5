import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

/** Deletes all rules of a user, with the account. */
export async function deleteDecisionRules(db: Database, userId: string): Promise<void> {
  await sql`delete from decision_rules where user_id = ${userId}`.execute(db);
}
