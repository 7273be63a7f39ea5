import type { Role } from "@whytrace/contract";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { lockMember } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { setRole } from "../workspaces/memberships.ts";
import { endInvitations } from "./end-invitations.ts";
import { ONLY_OWNER_MAKES } from "./parse-role.ts";
import { memberTarget, readMember } from "./read-member.ts";

export const ONLY_OWNER_CHANGES = "Only an owner can change the role of an owner.";

/** Gives a member another role. The last owner keeps theirs. */
export async function changeRole(
  db: Database,
  { workspaceId, user }: MemberSession,
  { userId, role }: { userId: string; role: Role },
  origin: Origin,
): Promise<void> {
  await transaction(db, async (trx) => {
    const own = await lockMember(trx, { workspaceId, userId: user.id, needed: "admin" });
    const member = await readMember(trx, workspaceId, userId);
    if (member.role === "owner" && own !== "owner") throw new HttpError(403, ONLY_OWNER_CHANGES);
    if (role === "owner" && own !== "owner") throw new HttpError(403, ONLY_OWNER_MAKES);
    if (member.role === role) return;
    await setRole(trx, workspaceId, userId, role);
    await endInvitations(trx, workspaceId, member.userId, role);
    await recordEvent(trx, workspaceId, origin, {
      action: "member.role-changed",
      target: memberTarget(member),
      details: { from: member.role, to: role },
    });
  });
}
