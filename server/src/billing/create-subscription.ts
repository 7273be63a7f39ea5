import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Creates the FREE subscription of a new user. */
export async function createSubscription(
  trx: Database,
  userId: string,
  freeSessionsPerDay: number,
): Promise<void> {
  await sql`
    insert into subscriptions (user_id, tier, sessions_limit)
    values (${userId}, 'FREE', ${freeSessionsPerDay})`.execute(trx);
}
