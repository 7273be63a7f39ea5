import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Deletes the user; foreign keys cascade to sessions, tokens, subscription and API keys. */
export async function deleteUser(trx: Database, userId: string): Promise<void> {
  await sql`delete from users where id = ${userId}`.execute(trx);
}
