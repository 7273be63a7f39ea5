import { sql } from "kysely";
import { type Usage, usageColumns } from "../billing/usage.ts";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { unlessReadOnly } from "../db/unless-read-only.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";

/** The user of a key and their usage; no usage if they have no subscription. */
export interface KeyOwner {
  userId: string;
  keyId: string;
  usage: Usage | undefined;
}

interface StoredKey {
  keyHash: string;
  id: string;
  userId: string;
  isRecentlyUsed: boolean | null;
}

/** Not cached, so that a revoked key stops working at once on every server. */
export async function findKeyOwner(db: Database, key: string): Promise<KeyOwner | undefined> {
  if (!isWellFormedKey(key)) return undefined;
  const stored = await findKey(db, hashKey(key).toString("hex"));
  if (!stored) return undefined;
  const { keyHash: _, id, userId, isRecentlyUsed, ...usage } = stored;
  if (!isRecentlyUsed) await unlessReadOnly(recordUse(db, id));
  return { userId, keyId: id, usage: usage.tier === null ? undefined : usage };
}

/** Reads key and usage in one query, because ingest needs both. */
const findKey = batchedRead(async (db, hashes) => {
  const { rows } = await sql<StoredKey & (Usage | { tier: null })>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, api_keys.id, api_keys.user_id,
      last_used_at > now() - interval '1 minute' as is_recently_used, ${usageColumns()}
    from api_keys left join subscriptions on subscriptions.user_id = api_keys.user_id
    where key_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])`.execute(db);
  return new Map(rows.map((row) => [row.keyHash, row]));
});

/** Writes at most once a minute, even for concurrent requests. */
async function recordUse(db: Database, keyId: string) {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at <= now() - interval '1 minute')`.execute(
    db,
  );
}
