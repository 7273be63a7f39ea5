import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Deletes the subscription of a user who is being deleted: in a cluster it has no foreign key. */
export async function deleteSubscription(trx: Database, userId: string): Promise<void> {
  await sql`delete from subscriptions where user_id = ${userId}`.execute(trx);
}
