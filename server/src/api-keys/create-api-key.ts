import type { ApiKeyScope, CreatedApiKey } from "@whytrace/contract";
import { feedbackRef, feedbackSecret, MAX_API_KEYS_PER_WORKSPACE } from "@whytrace/contract";
import { EXPIRES_IN_THE_PAST } from "@whytrace/contract/schemas/future-date";
import { sql } from "kysely";
import type { CurrentSession } from "../auth/sessions.ts";
import { lockSession } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { generateKey, hashKey, keyPrefix } from "./key-format.ts";

export interface NewApiKey {
  name: string;
  scope: ApiKeyScope;
  /** Milliseconds since 1970; null for a key that does not expire. */
  expiresAtMs: number | null;
}

export async function createApiKey(
  db: Database,
  session: CurrentSession,
  { name, scope, expiresAtMs }: NewApiKey,
): Promise<CreatedApiKey> {
  const { workspaceId } = session;
  const key = generateKey();
  const hash = hashKey(key);
  const ref = Buffer.from(feedbackRef(feedbackSecret(hash)));
  return transaction(db, async (trx) => {
    // A password reset that ends this session waits for this transaction, so it also revokes the new key.
    if (!(await lockSession(trx, session.id))) throw new HttpError(401, "Unauthorized");
    // Serializes key creation per workspace, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`api-keys ${workspaceId}`}, 0))`.execute(trx);
    const { rows } = await sql<Omit<CreatedApiKey, "key"> & { isExpired: boolean | null }>`
      insert into api_keys (workspace_id, name, prefix, key_hash, feedback_ref, scope, expires_at)
      select ${workspaceId}, ${name}, ${keyPrefix(key)}, ${hash}, ${ref}, ${scope},
        to_timestamp(${expiresAtMs}::float8 / 1000)
      where (select count(*) from api_keys where workspace_id = ${workspaceId}) < ${MAX_API_KEYS_PER_WORKSPACE}
      returning id, name, prefix, scope, created_at, expires_at, expires_at <= now() as is_expired`.execute(
      trx,
    );
    const [row] = rows;
    if (!row) throw new HttpError(409, `API key limit reached (${MAX_API_KEYS_PER_WORKSPACE})`);
    const { isExpired, ...created } = row;
    if (isExpired) throw new HttpError(400, EXPIRES_IN_THE_PAST);
    return { ...created, key };
  });
}
