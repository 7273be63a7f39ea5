import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import { OPERATOR, recordEvent } from "../../audit/record-event.ts";
import { hashToken, randomToken } from "../../auth/random-token.ts";
import type { UserId } from "../../auth/user-id.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { findWorkspaceBySlug } from "../../workspaces/find-workspace.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { INVITATION_DAYS, invitationMail } from "../invitation-mail.ts";

export interface InvitedPerson {
  email: string;
  role: Role;
}

/** Undefined: the person is a member already. */
export type OperatorInvitation = InvitedPerson & { url: string | undefined };

/**
 * Invites people in the name of the workspace's first owner; an earlier invitation of an address ends. The link counts as
 * mailed: whoever opens it proves the address, as with accounts that the operator makes. Undefined if there is no such
 * workspace.
 */
export async function invitePeople(
  db: Database,
  slug: string,
  people: readonly InvitedPerson[],
  { publicUrl, isMailed }: { publicUrl: string; isMailed: boolean },
): Promise<OperatorInvitation[] | undefined> {
  const workspaceId = await findWorkspaceBySlug(db, slug);
  if (!workspaceId) return undefined;
  return transaction(db, async (trx) => {
    await lockWorkspace(trx, workspaceId);
    const inviter = await readInviter(trx, workspaceId);
    const invited: OperatorInvitation[] = [];
    for (const person of people) {
      const token = await invite(trx, workspaceId, inviter.id, person);
      const url = token && `${publicUrl}/invitation?token=${token}`;
      if (url && isMailed) {
        const { workspace } = inviter;
        const content = { recipient: person.email, url, publicUrl, role: person.role, inviter, workspace };
        await queueMail(trx, invitationMail(content));
      }
      invited.push({ ...person, url });
    }
    // The lock on the position of the log is held until the end, so events come last.
    for (const { email, role, url } of invited)
      if (url)
        await recordEvent(trx, workspaceId, OPERATOR, {
          action: "invitation.created",
          target: { kind: "invitation", id: null, name: email },
          details: { role, mailed: isMailed },
        });
    return invited;
  });
}

/** Returns the token, or undefined for members. */
async function invite(
  trx: Database,
  workspaceId: WorkspaceId,
  inviter: UserId,
  { email, role }: InvitedPerson,
): Promise<string | undefined> {
  const { rows: members } = await sql`
    select from memberships join users on users.id = memberships.user_id
    where memberships.workspace_id = ${workspaceId} and users.email = ${email}`.execute(trx);
  if (members.length > 0) return undefined;
  await sql`
    delete from invitations where workspace_id = ${workspaceId} and email = ${email} and used_at is null`.execute(
    trx,
  );
  const token = randomToken();
  await sql`
    insert into invitations
      (workspace_id, email, role, invited_by, mail_token_hash, link_token_hash, mails, expires_at)
    values (${workspaceId}, ${email}, ${role}, ${inviter}, ${hashToken(token)}, ${hashToken(randomToken())}, 1,
      now() + ${INVITATION_DAYS} * interval '1 day')`.execute(trx);
  return token;
}

interface Inviter {
  id: UserId;
  name: string | null;
  email: string;
  /** The name of the workspace. */
  workspace: string;
}

async function readInviter(trx: Database, workspaceId: WorkspaceId): Promise<Inviter> {
  const { rows } = await sql<Inviter>`
    select users.id, users.name, users.email, workspaces.name as workspace
    from memberships join users on users.id = memberships.user_id
      join workspaces on workspaces.id = memberships.workspace_id
    where memberships.workspace_id = ${workspaceId} and memberships.role = 'owner'
    order by memberships.created_at limit 1`.execute(trx);
  const [inviter] = rows;
  if (!inviter) throw new Error("The workspace has no owner: make somebody one first");
  return inviter;
}
