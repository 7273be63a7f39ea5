import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { sharedRead } from "../db/shared-read.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";

interface StoredKey {
  id: string;
  userId: string;
  isUsedLately: boolean | null;
}

/** The user a key belongs to. Asked anew each time, so that a revoked key is dead at once on every server. */
export async function verifyApiKey(db: Database, key: string): Promise<string | undefined> {
  if (!isWellFormedKey(key)) return undefined;
  const stored = await findKey(db, hashKey(key).toString("hex"));
  if (stored && !stored.isUsedLately) await noteUse(db, stored.id);
  return stored?.userId;
}

const findKey = sharedRead(async (db, hashes) => {
  const { rows } = await sql<StoredKey & { keyHash: string }>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, id, user_id, last_used_at > now() - interval '1 minute' as is_used_lately
    from api_keys where key_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])`.execute(
    db,
  );
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
