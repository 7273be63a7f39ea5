import type { ApiKeyScope } from "@whytrace/contract";
import { sql } from "kysely";
import { readUsage, type Usage, usageColumns } from "../billing/usage.ts";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { isSharded, nearUser } from "../db/sharding.ts";
import { unlessReadOnly } from "../db/unless-read-only.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";

/** The user of a key, what it may do, and the usage; no usage if the user has no subscription. */
export interface KeyOwner {
  userId: string;
  keyId: string;
  scope: ApiKeyScope;
  usage: Usage | undefined;
}

interface StoredKey {
  keyHash: string;
  id: string;
  userId: string;
  scope: ApiKeyScope;
  isRecentlyUsed: boolean | null;
}

/** Not cached, so that a revoked or expired key stops working at once on every server. */
export async function findKeyOwner(db: Database, key: string): Promise<KeyOwner | undefined> {
  if (!isWellFormedKey(key)) return undefined;
  const hash = hashKey(key).toString("hex");
  if (isSharded(db)) return findInCluster(db, hash);
  const stored = await findKey(db, hash);
  if (!stored) return undefined;
  const { keyHash: _, id, userId, scope, isRecentlyUsed, ...usage } = stored;
  if (!isRecentlyUsed) await unlessReadOnly(recordUse(db, id));
  return { userId, keyId: id, scope, usage: usage.tier === null ? undefined : usage };
}

/** Keys are on the coordinator, plans on the nodes of their users. */
async function findInCluster(db: Database, hash: string): Promise<KeyOwner | undefined> {
  const stored = await findKeyAlone(db, hash);
  if (!stored) return undefined;
  const { id, userId, scope, isRecentlyUsed } = stored;
  if (!isRecentlyUsed) await unlessReadOnly(recordUse(db, id));
  return { userId, keyId: id, scope, usage: await readUsage(await nearUser(db, userId), userId) };
}

const IS_RECENTLY_USED = sql`last_used_at > now() - interval '1 minute' as is_recently_used`;
const isValid = (hashes: string[]) =>
  sql`key_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])
    and (api_keys.expires_at is null or api_keys.expires_at > now())`;

const findKeyAlone = batchedRead(async (db, hashes) => {
  const { rows } = await sql<StoredKey>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, id, user_id, scope, ${IS_RECENTLY_USED}
    from api_keys where ${isValid(hashes)}`.execute(db);
  return new Map(rows.map((row) => [row.keyHash, row]));
});

/** Reads key and usage in one query, because ingest needs both. */
const findKey = batchedRead(async (db, hashes) => {
  const { rows } = await sql<StoredKey & (Usage | { tier: null })>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, api_keys.id, api_keys.user_id, api_keys.scope,
      ${IS_RECENTLY_USED}, ${usageColumns()}
    from api_keys left join subscriptions on subscriptions.user_id = api_keys.user_id
    where ${isValid(hashes)}`.execute(db);
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
