import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";

/** The user a key belongs to. Asked anew each time, so that a revoked key is dead at once on every server. */
export async function verifyApiKey(db: Database, key: string): Promise<string | undefined> {
  if (!isWellFormedKey(key)) return undefined;
  const { rows } = await sql<{ id: string; userId: string; isUsedLately: boolean | null }>`/* prepared */
    select id, user_id, last_used_at > now() - interval '1 minute' as is_used_lately
    from api_keys where key_hash = ${hashKey(key)}`.execute(db);
  const [row] = rows;
  if (row && !row.isUsedLately) await noteUse(db, row.id);
  return row?.userId;
}

/** At most once a minute: of callers that arrive together, the first one writes. */
async function noteUse(db: Database, keyId: string) {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at <= now() - interval '1 minute')`.execute(
    db,
  );
}
