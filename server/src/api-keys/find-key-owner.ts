import { sql } from "kysely";
import { type Usage, usageColumns } from "../billing/usage.ts";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";

/** Whose key it is, and what they have used of their plan, if they have one. */
export interface KeyOwner {
  userId: string;
  usage: Usage | undefined;
}

interface StoredKey {
  keyHash: string;
  id: string;
  userId: string;
  isUsedLately: boolean | null;
}

/** The owner of a key. Asked anew each time, so that a revoked key is dead at once on every server. */
export async function findKeyOwner(db: Database, key: string): Promise<KeyOwner | undefined> {
  if (!isWellFormedKey(key)) return undefined;
  const stored = await findKey(db, hashKey(key).toString("hex"));
  if (!stored) return undefined;
  const { keyHash: _, id, userId, isUsedLately, ...usage } = stored;
  if (!isUsedLately) await noteUse(db, id);
  return { userId, usage: usage.tier === null ? undefined : usage };
}

/** With what is left of the plan: whoever asks for the one needs the other. */
const findKey = batchedRead(async (db, hashes) => {
  const { rows } = await sql<StoredKey & (Usage | { tier: null })>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, api_keys.id, api_keys.user_id,
      last_used_at > now() - interval '1 minute' as is_used_lately, ${usageColumns()}
    from api_keys left join subscriptions on subscriptions.user_id = api_keys.user_id
    where key_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])`.execute(db);
  return new Map(rows.map((row) => [row.keyHash, row]));
});

/** At most once a minute: of callers that arrive together, the first one writes. */
async function noteUse(db: Database, keyId: string) {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at <= now() - interval '1 minute')`.execute(
    db,
  );
}
