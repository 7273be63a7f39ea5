import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";

/** Returns false if the user has no key with this id, also if another user has it. */
export function revokeApiKey(db: Database, userId: string, keyId: string): Promise<boolean> {
  return transaction(db, async (trx) => {
    await waitForStores(trx, userId);
    const { rows } = await sql`
      delete from api_keys where user_id = ${userId} and id::text = ${keyId} returning id`.execute(trx);
    return rows.length > 0;
  });
}

/** Returns the number of revoked keys. */
export async function revokeAllApiKeys(trx: Database, userId: string): Promise<number> {
  await waitForStores(trx, userId);
  const { rows } = await sql`delete from api_keys where user_id = ${userId} returning id`.execute(trx);
  return rows.length;
}

/**
 * A transaction that stores traces locks these rows, in this order, and then checks its key with `requireKeys`. So it
 * either commits before the key is revoked, or finds the key revoked.
 */
async function waitForStores(trx: Database, userId: string): Promise<void> {
  await sql`select from subscriptions where user_id = ${userId} for update`.execute(trx);
  await sql`select from trace_totals where user_id = ${userId} for update`.execute(trx);
}

/** Throws 401 if one of the keys was revoked after its request began. */
export async function requireKeys(trx: Database, keyIds: ReadonlySet<string>): Promise<void> {
  if (keyIds.size === 0) return;
  const { rows } = await sql`/* prepared */
    select id from api_keys where id = any(${[...keyIds]}::uuid[])`.execute(trx);
  if (rows.length < keyIds.size) throw new HttpError(401, "Invalid API key");
}
