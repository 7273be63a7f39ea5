import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Applies the configured limit to existing FREE subscriptions, when the server starts. */
export async function updateFreeLimits(db: Database, freeSessionsPerDay: number): Promise<void> {
  await sql`
    update subscriptions set sessions_limit = ${freeSessionsPerDay}
    where tier = 'FREE' and sessions_limit <> ${freeSessionsPerDay}`.execute(db);
}
