import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { isSharded } from "../db/sharding.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";

/** Returns false if the user has no key with this id, also if another user has it. */
export async function revokeApiKey(db: Database, userId: string, keyId: string): Promise<boolean> {
  const isRevoked = await transaction(db, async (trx) => {
    await waitForStores(trx, userId);
    const { rows } = await sql`
      delete from api_keys where user_id = ${userId} and id::text = ${keyId} returning id`.execute(trx);
    return rows.length > 0;
  });
  // A cluster releases the locks of other nodes before it commits on the coordinator. Whoever got them in between ends first.
  if (isRevoked && isSharded(db)) await transaction(db, (trx) => waitForStores(trx, userId));
  return isRevoked;
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
  await sql`select user_id from subscriptions where user_id = ${userId} for update`.execute(trx);
  await sql`select user_id from trace_totals where user_id = ${userId} for update`.execute(trx);
}

/** Throws 401 if one of the keys was revoked or expired after its request began. */
export async function requireKeys(trx: Database, keyIds: ReadonlySet<string>): Promise<void> {
  if (keyIds.size === 0) return;
  const { rows } = await sql`/* prepared */
    select id from api_keys
    where id = any(${[...keyIds]}::uuid[]) and (expires_at is null or expires_at > now())`.execute(trx);
  if (rows.length < keyIds.size) throw new HttpError(401, "Invalid API key");
}
