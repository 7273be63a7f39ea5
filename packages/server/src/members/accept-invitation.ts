import type { JoinedWorkspace } from "@whytrace/contract";
import { sql } from "kysely";
import { type FoundInvitation, findInvitation, INVITATION_INVALID } from "../accounts/find-invitation.ts";
import { proveAddress, type TakeBack } from "../accounts/prove-address.ts";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import { requireVerified } from "../auth/require-verified.ts";
import type { CurrentSession, SessionUser } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { addMembership } from "../workspaces/memberships.ts";

export const OTHER_ADDRESS =
  "This invitation is for another address. Sign in as the invited person or ask for a new invitation.";

type Joined = JoinedWorkspace["workspace"];

/** Lets a user join by a link, or by the id of an invitation that waits for their verified address. */
export async function acceptInvitation(
  db: Database,
  session: CurrentSession,
  { token, id }: { token?: string | undefined; id?: string | undefined },
  { origin, takeBack }: { origin: Origin; takeBack: TakeBack },
): Promise<Joined> {
  const { user } = session;
  const find = async (on: Database) => {
    const found =
      token === undefined ? await findOwnInvitation(on, user, id) : await findInvitation(on, token);
    if (!found) throw new HttpError(400, INVITATION_INVALID);
    return found;
  };
  const { workspaceId, email, isMailed } = await find(db);
  if (email !== user.email) throw new HttpError(403, OTHER_ADDRESS);
  // Whoever invites has the copied link, and could sign up with it as the invited person.
  if (!isMailed) requireVerified(user);
  return transaction(db, async (trx) => {
    await lockWorkspace(trx, workspaceId);
    // Again behind the lock: a new link may have ended this one since.
    const invitation = await find(trx);
    if (invitation.isMailed) await proveAddress(trx, user.id, { session, takeBack });
    return join(trx, user, invitation, origin);
  });
}

async function findOwnInvitation(
  db: Database,
  { email, isEmailVerified }: SessionUser,
  id: string | undefined,
): Promise<FoundInvitation | undefined> {
  if (!isEmailVerified || id === undefined) return undefined;
  const { rows } = await sql<FoundInvitation>`
    select id, workspace_id, email, role, invited_by, expires_at, false as is_mailed from invitations
    where id::text = ${id} and email = ${email} and used_at is null and expires_at > now()`.execute(db);
  return rows[0];
}

/** Behind the lock of the workspace. */
async function join(
  trx: Database,
  user: SessionUser,
  { id, workspaceId, role }: FoundInvitation,
  origin: Origin,
): Promise<Joined> {
  // Of requests that come at once, one uses the invitation, and the others find nothing.
  const { rows: used } = await sql`
    update invitations set used_at = now() where id = ${id} and used_at is null and expires_at > now()
    returning id`.execute(trx);
  if (used.length === 0) throw new HttpError(400, INVITATION_INVALID);
  await addMembership(trx, workspaceId, user.id, role);
  await recordEvent(trx, workspaceId, origin, {
    action: "member.joined",
    target: { kind: "user", id: user.id, name: user.email },
    details: { by: "invitation", role },
  });
  const { rows } = await sql<Omit<Joined, "role">>`
    select id, slug, name from workspaces where id = ${workspaceId}`.execute(trx);
  const [workspace] = rows;
  if (!workspace) throw new HttpError(400, INVITATION_INVALID);
  return { ...workspace, role };
}
