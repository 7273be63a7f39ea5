import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** At start: the FREE subscriptions there already are follow the configured limit. */
export async function followFreeLimit(db: Database, freeSessionsPerDay: number): Promise<void> {
  await sql`
    update subscriptions set sessions_limit = ${freeSessionsPerDay}
    where tier = 'FREE' and sessions_limit <> ${freeSessionsPerDay}`.execute(db);
}
