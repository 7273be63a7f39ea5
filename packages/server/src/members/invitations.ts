import type { Invitation } from "@whytrace/contract";
import type { ShownInvitation } from "@whytrace/contract/schemas/workspaces/invitations";
import { sql } from "kysely";
import { findInvitation, INVITATION_INVALID } from "../accounts/find-invitation.ts";
import type { SessionUser } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";

const INVITED_BY = sql.raw("coalesce(users.name, users.email) as invited_by");

/** Pending and expired ones, newest first. */
export async function listInvitations(db: Database, workspaceId: WorkspaceId): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select invitations.id, invitations.email, invitations.role, ${INVITED_BY}, invitations.created_at,
      invitations.expires_at, invitations.expires_at <= now() as is_expired
    from invitations join users on users.id = invitations.invited_by
    where invitations.workspace_id = ${workspaceId} and invitations.used_at is null
    order by invitations.created_at desc, invitations.id`.execute(db);
  return rows;
}

/** What the holder of a link sees. It does not say whether the address has an account. */
export async function showInvitation(db: Database, token: string): Promise<ShownInvitation> {
  const found = await findInvitation(db, token);
  if (!found) throw new HttpError(400, INVITATION_INVALID);
  const { rows } = await sql<{ name: string; invitedBy: string }>`
    select workspaces.name, ${INVITED_BY} from workspaces, users
    where workspaces.id = ${found.workspaceId} and users.id = ${found.invitedBy}`.execute(db);
  const [row] = rows;
  if (!row) throw new HttpError(400, INVITATION_INVALID);
  const { email, role, expiresAt } = found;
  return { workspace: { name: row.name }, email, role, invitedBy: row.invitedBy, expiresAt };
}

interface OwnInvitation extends Pick<Invitation, "id" | "role" | "expiresAt"> {
  workspace: { name: string };
}

/** The invitations that wait for a user: none as long as the address is not verified. */
export async function listOwnInvitations(db: Database, user: SessionUser): Promise<OwnInvitation[]> {
  if (!user.isEmailVerified) return [];
  const { rows } = await sql<OwnInvitation>`
    select invitations.id, jsonb_build_object('name', workspaces.name) as workspace, invitations.role,
      invitations.expires_at
    from invitations join workspaces on workspaces.id = invitations.workspace_id
    where invitations.email = ${user.email} and invitations.used_at is null and invitations.expires_at > now()
    order by invitations.created_at, invitations.id`.execute(db);
  return rows;
}
