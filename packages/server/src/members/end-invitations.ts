import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Ends the pending invitations of a member that they could not make with their new role; undefined: they are removed. */
export async function endInvitations(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: UserId,
  role: Role | undefined,
): Promise<void> {
  if (role === "owner") return;
  await sql`
    delete from invitations where workspace_id = ${workspaceId} and invited_by = ${userId} and used_at is null
      and (${role !== "admin"} or role = 'owner')`.execute(trx);
}

/** Ends all pending invitations of a person. Returns their number. */
export async function endInvitationsOf(trx: Database, userId: UserId): Promise<number> {
  const { rows } = await sql`
    delete from invitations where invited_by = ${userId} and used_at is null returning id`.execute(trx);
  return rows.length;
}

const KEPT_DAYS = 30;

/** Expired invitations stay in the list for a while. */
export async function sweepInvitations(db: Database): Promise<void> {
  await sql`delete from invitations where expires_at <= now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  );
}
