import type { ApiKeyScope } from "@whytrace/contract";
import {
  feedbackRef,
  feedbackSecret,
  MAX_API_KEYS_PER_MEMBER,
  MAX_API_KEYS_PER_WORKSPACE,
} from "@whytrace/contract";
import type { CreatedApiKey } from "@whytrace/contract/schemas/api-keys";
import { EXPIRES_IN_THE_PAST } from "@whytrace/contract/schemas/future-date";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import { lockSession } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { lockMember } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { generateKey, hashKey, keyPrefix } from "./key-format.ts";

interface NewApiKey {
  name: string;
  scope: ApiKeyScope;
  /** Milliseconds since 1970; null for a key that does not expire. */
  expiresAtMs: number | null;
}

export const TOO_MANY_KEYS = `API key limit reached (${MAX_API_KEYS_PER_MEMBER})`;
export const TOO_MANY_KEYS_OF_ALL = `API key limit of the workspace reached (${MAX_API_KEYS_PER_WORKSPACE})`;

export async function createApiKey(
  db: Database,
  session: MemberSession,
  { name, scope, expiresAtMs }: NewApiKey,
  origin: Origin,
): Promise<CreatedApiKey> {
  const { workspaceId, user } = session;
  const key = generateKey();
  const hash = hashKey(key);
  const ref = Buffer.from(feedbackRef(feedbackSecret(hash)));
  return transaction(db, async (trx) => {
    // A password reset that ends this session waits for this transaction, so it also revokes the new key.
    if (!(await lockSession(trx, session.id))) throw new HttpError(401, "Unauthorized");
    // Serializes key creation per workspace, so that concurrent requests cannot exceed a limit, and no key outlives its maker.
    await lockMember(trx, { workspaceId, userId: user.id, needed: "member" });
    await requireRoom(trx, workspaceId, user.id);
    const { rows } = await sql<Omit<CreatedApiKey, "key"> & { isExpired: boolean | null }>`
      insert into api_keys (workspace_id, created_by, name, prefix, key_hash, feedback_ref, scope, expires_at)
      values (${workspaceId}, ${user.id}, ${name}, ${keyPrefix(key)}, ${hash}, ${ref}, ${scope},
        to_timestamp(${expiresAtMs}::float8 / 1000))
      returning id, name, prefix, scope, created_at, expires_at, expires_at <= now() as is_expired`.execute(
      trx,
    );
    const [row] = rows;
    if (!row) throw new Error("The key was not created");
    const { isExpired, ...created } = row;
    if (isExpired) throw new HttpError(400, EXPIRES_IN_THE_PAST);
    const target = { kind: "key", id: created.id, name };
    await recordEvent(trx, workspaceId, origin, { action: "key.created", target, details: { scope } });
    return { ...created, key };
  });
}

/** Keys of people who left count for the workspace alone. */
async function requireRoom(trx: Database, workspaceId: WorkspaceId, userId: string) {
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*) filter (where created_by = ${userId})::integer as own, count(*)::integer as all
    from api_keys where workspace_id = ${workspaceId}`.execute(trx);
  const { own, all } = rows[0] ?? { own: 0, all: 0 };
  if (own >= MAX_API_KEYS_PER_MEMBER) throw new HttpError(409, TOO_MANY_KEYS);
  if (all >= MAX_API_KEYS_PER_WORKSPACE) throw new HttpError(409, TOO_MANY_KEYS_OF_ALL);
}
