import { includesRole, REMOVED_KEYS } from "@whytrace/contract";
import type { RemovedKeys } from "../api-keys/revoke-api-key.ts";
import { revokeMadeKeys, waitForStores } from "../api-keys/revoke-api-key.ts";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import { changeBehindLocks } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { lockMember, lockWorkspace } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { deleteMembership } from "../workspaces/memberships.ts";
import { requireRole } from "../workspaces/require-member.ts";
import { endInvitations } from "./end-invitations.ts";
import { memberTarget, readMember } from "./read-member.ts";

export const ONLY_OWNER_REMOVES = "Only an owner can remove an owner.";
export const INVALID_KEYS = `Invalid keys. Must be one of: ${REMOVED_KEYS.join(", ")}`;

export function parseRemovedKeys(text: string): RemovedKeys {
  const keys = REMOVED_KEYS.find((one) => one === text);
  if (!keys) throw new HttpError(400, INVALID_KEYS);
  return keys;
}

/** Removes a member, or lets one leave. Returns how many of their keys were revoked. */
export async function removeMember(
  db: Database,
  { workspaceId, user }: MemberSession,
  { userId, keys }: { userId: string; keys: RemovedKeys },
  origin: Origin,
): Promise<number> {
  const isOwn = userId === user.id;
  let keysRevoked = 0;
  const lock = async (trx: Database) => {
    await lockWorkspace(trx, workspaceId);
    await waitForStores(trx, workspaceId);
  };
  await changeBehindLocks(db, lock, async (trx) => {
    const own = await lockMember(trx, { workspaceId, userId: user.id, needed: "viewer" });
    if (!isOwn) requireRole(own, "admin");
    const member = await readMember(trx, workspaceId, userId);
    if (member.role === "owner" && !includesRole(own, "owner")) throw new HttpError(403, ONLY_OWNER_REMOVES);
    await deleteMembership(trx, workspaceId, member.userId);
    // A statement of its own: it sees every key that was made before the membership ended.
    keysRevoked = await revokeMadeKeys(trx, workspaceId, member, keys);
    await endInvitations(trx, workspaceId, member.userId, undefined);
    await recordEvent(trx, workspaceId, origin, {
      action: isOwn ? "member.left" : "member.removed",
      target: memberTarget(member),
      details: { keysRevoked },
    });
    return keysRevoked > 0;
  });
  return keysRevoked;
}
