import { type CreatedApiKey, MAX_API_KEYS_PER_USER } from "@whytrace/contract";
import { sql } from "kysely";
import { type CurrentSession, lockSession } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { generateKey, hashKey, keyPrefix } from "./key-format.ts";

export async function createApiKey(
  db: Database,
  session: CurrentSession,
  name: string,
): Promise<CreatedApiKey> {
  const userId = session.user.id;
  const key = generateKey();
  return transaction(db, async (trx) => {
    // A password reset that ends this session waits for this transaction, so it also revokes the new key.
    if (!(await lockSession(trx, session.id))) throw new HttpError(401, "Unauthorized");
    // Serializes key creation per user, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`api-keys ${userId}`}, 0))`.execute(trx);
    const { rows } = await sql<Omit<CreatedApiKey, "key">>`
      insert into api_keys (user_id, name, prefix, key_hash)
      select ${userId}, ${name}, ${keyPrefix(key)}, ${hashKey(key)}
      where (select count(*) from api_keys where user_id = ${userId}) < ${MAX_API_KEYS_PER_USER}
      returning id, name, prefix, created_at`.execute(trx);
    const [row] = rows;
    if (!row) throw new HttpError(409, `API key limit reached (${MAX_API_KEYS_PER_USER})`);
    return { ...row, key };
  });
}
