import { sql } from "kysely";
import { deleteSubscription } from "../billing/delete-subscription.ts";
import type { Database } from "../db/database.ts";

/** Deletes the user; foreign keys cascade to sessions, tokens and API keys. */
export async function deleteUser(trx: Database, userId: string): Promise<void> {
  await deleteSubscription(trx, userId);
  await sql`delete from users where id = ${userId}`.execute(trx);
}
