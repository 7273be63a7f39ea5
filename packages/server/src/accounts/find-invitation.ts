import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import { hashToken } from "../auth/random-token.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Used, expired, revoked, replaced or forged: one answer. */
export const INVITATION_INVALID = "Invitation is not valid any more";

export interface FoundInvitation {
  id: string;
  workspaceId: WorkspaceId;
  email: string;
  role: Role;
  invitedBy: UserId;
  expiresAt: string;
  /** The token is that of the mail, which proves the address. */
  isMailed: boolean;
}

/** An invitation that can be accepted, found by one of its two tokens. */
export async function findInvitation(db: Database, token: string): Promise<FoundInvitation | undefined> {
  const hash = hashToken(token);
  const { rows } = await sql<FoundInvitation>`
    select id, workspace_id, email, role, invited_by, expires_at, mail_token_hash = ${hash} as is_mailed
    from invitations
    where (mail_token_hash = ${hash} or link_token_hash = ${hash}) and used_at is null and expires_at > now()`.execute(
    db,
  );
  return rows[0];
}

/** Whether this workspace, or any, waits for the person with this address. */
export async function hasInvitation(
  db: Database,
  email: string,
  workspaceId: WorkspaceId | null = null,
): Promise<boolean> {
  const { rows } = await sql`
    select from invitations where email = ${email} and used_at is null and expires_at > now()
      and (${workspaceId}::uuid is null or workspace_id = ${workspaceId}) limit 1`.execute(db);
  return rows.length > 0;
}
