import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Returns false if the user has no key with this id, also if another user has it. */
export async function revokeApiKey(db: Database, userId: string, keyId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from api_keys where user_id = ${userId} and id::text = ${keyId} returning id`.execute(db);
  return rows.length > 0;
}

export async function revokeAllApiKeys(trx: Database, userId: string): Promise<void> {
  await sql`delete from api_keys where user_id = ${userId}`.execute(trx);
}
