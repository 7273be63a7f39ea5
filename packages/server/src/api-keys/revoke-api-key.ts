import type { REMOVED_KEYS, Role } from "@whytrace/contract";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { changeBehindLocks } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { makerOnly, requireMaker } from "../workspaces/require-maker.ts";
import { MAKER_ROLE } from "./key-rights.ts";

export type RemovedKeys = (typeof REMOVED_KEYS)[number];

export const NOT_YOUR_KEY = makerOnly("key", "revoke");

/** Returns false if the workspace has no key with this id. A member revokes only their own; admins and owners all. */
export function revokeApiKey(
  db: Database,
  { workspaceId, user, role }: MemberSession,
  keyId: string,
  origin: Origin,
): Promise<boolean> {
  const lock = async (trx: Database) => {
    await lockWorkspace(trx, workspaceId);
    await waitForStores(trx, workspaceId);
  };
  return changeBehindLocks(db, lock, async (trx) => {
    const { rows } = await sql<{ id: string; name: string; createdBy: string | null }>`
      delete from api_keys where workspace_id = ${workspaceId} and id::text = ${keyId}
      returning id, name, created_by`.execute(trx);
    const [key] = rows;
    if (!key) return false;
    requireMaker({ createdBy: key.createdBy, user, role }, NOT_YOUR_KEY);
    const target = { kind: "key", id: key.id, name: key.name };
    await recordEvent(trx, workspaceId, origin, { action: "key.revoked", target });
    return true;
  });
}

/** Revokes the keys that a person made, in all workspaces. Returns their number. */
export async function revokeKeysOf(trx: Database, userId: UserId): Promise<number> {
  const { rows: workspaces } = await sql<{ workspaceId: WorkspaceId }>`
    select distinct workspace_id from api_keys where created_by = ${userId} order by workspace_id`.execute(
    trx,
  );
  let revoked = 0;
  for (const { workspaceId } of workspaces)
    revoked += await revokeMadeKeys(trx, workspaceId, { userId, role: "owner" }, "all");
  return revoked;
}

/**
 * Revokes keys that a person made in a workspace: all, those that read, or none, of those that their role still allowed. The
 * others end in any case: when the person has left, no role would limit them. Returns their number.
 */
export async function revokeMadeKeys(
  trx: Database,
  workspaceId: WorkspaceId,
  { userId, role }: { userId: UserId; role: Role },
  which: RemovedKeys,
): Promise<number> {
  await waitForStores(trx, workspaceId);
  const { rows } = await sql`
    delete from api_keys where workspace_id = ${workspaceId} and created_by = ${userId}
      and (${which} = 'all' or (${which} = 'reading' and scope <> 'send') or (${role} = 'viewer' and scope <> 'read'))
    returning id`.execute(trx);
  return rows.length;
}

/**
 * A transaction that stores traces locks these rows, in this order, and then checks its key with `requireKeys`. So it
 * either commits before the key is revoked, or finds the key revoked.
 */
export async function waitForStores(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`select workspace_id from subscriptions where workspace_id = ${workspaceId} for update`.execute(
    trx,
  );
  await sql`select workspace_id from trace_totals where workspace_id = ${workspaceId} for update`.execute(
    trx,
  );
}

/** Throws 401 if one of the keys was revoked, has expired or lost its rights after its request began. */
export async function requireKeys(trx: Database, keyIds: ReadonlySet<string>): Promise<void> {
  if (keyIds.size === 0) return;
  const { rows } = await sql`/* prepared */
    select id from api_keys
    where id = any(${[...keyIds]}::uuid[]) and (expires_at is null or expires_at > now())
      and ${MAKER_ROLE} is distinct from 'viewer'`.execute(trx);
  if (rows.length < keyIds.size) throw new HttpError(401, "Invalid API key");
}
