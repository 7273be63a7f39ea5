import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { changeBehindLocks } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";

/** Returns false if the user has no key with this id, also if another user has it. */
export function revokeApiKey(db: Database, workspaceId: WorkspaceId, keyId: string): Promise<boolean> {
  const lock = (trx: Database) => waitForStores(trx, workspaceId);
  return changeBehindLocks(db, lock, async (trx) => {
    const { rows } = await sql`
      delete from api_keys where workspace_id = ${workspaceId} and id::text = ${keyId} returning id`.execute(
      trx,
    );
    return rows.length > 0;
  });
}

/** Returns the number of revoked keys. */
export async function revokeAllApiKeys(trx: Database, workspaceId: WorkspaceId): Promise<number> {
  await waitForStores(trx, workspaceId);
  const { rows } = await sql`delete from api_keys where workspace_id = ${workspaceId} returning id`.execute(
    trx,
  );
  return rows.length;
}

/**
 * A transaction that stores traces locks these rows, in this order, and then checks its key with `requireKeys`. So it
 * either commits before the key is revoked, or finds the key revoked.
 */
async function waitForStores(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`select workspace_id from subscriptions where workspace_id = ${workspaceId} for update`.execute(
    trx,
  );
  await sql`select workspace_id from trace_totals where workspace_id = ${workspaceId} for update`.execute(
    trx,
  );
}

/** Throws 401 if one of the keys was revoked or expired after its request began. */
export async function requireKeys(trx: Database, keyIds: ReadonlySet<string>): Promise<void> {
  if (keyIds.size === 0) return;
  const { rows } = await sql`/* prepared */
    select id from api_keys
    where id = any(${[...keyIds]}::uuid[]) and (expires_at is null or expires_at > now())`.execute(trx);
  if (rows.length < keyIds.size) throw new HttpError(401, "Invalid API key");
}
