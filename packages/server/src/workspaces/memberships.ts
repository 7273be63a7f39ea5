import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";

/* Changes of who belongs to a workspace. All of them run behind `lockWorkspace`. */

const MAX_MEMBERS = 1_000;

export const NEEDS_OWNER = "A workspace needs an owner. Make somebody else an owner first.";
export const MEMBER_LIMIT = `Member limit reached (${MAX_MEMBERS})`;
export const ALREADY_MEMBER = "You are already a member of this workspace.";

/** Throws 409 for a member already, and if there are too many members. */
export async function addMembership(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: UserId,
  role: Role,
): Promise<void> {
  const { rows } = await sql`
    insert into memberships (user_id, workspace_id, role) values (${userId}, ${workspaceId}, ${role})
    on conflict do nothing returning user_id`.execute(trx);
  if (rows.length === 0) throw new HttpError(409, ALREADY_MEMBER);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from memberships where workspace_id = ${workspaceId}`.execute(trx);
  if ((counted[0]?.count ?? 0) > MAX_MEMBERS) throw new HttpError(409, MEMBER_LIMIT);
}

export async function setRole(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: string,
  role: Role,
): Promise<void> {
  await sql`
    update memberships set role = ${role} where workspace_id = ${workspaceId} and user_id::text = ${userId}`.execute(
    trx,
  );
  await requireOwner(trx, workspaceId);
}

export async function deleteMembership(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: UserId,
): Promise<void> {
  await sql`delete from memberships where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(trx);
  await requireOwner(trx, workspaceId);
}

/** Throws 409, which undoes the change, if nobody is left who owns the workspace. */
async function requireOwner(trx: Database, workspaceId: WorkspaceId) {
  const { rows } = await sql`
    select user_id from memberships where workspace_id = ${workspaceId} and role = 'owner' limit 1`.execute(
    trx,
  );
  if (rows.length === 0) throw new HttpError(409, NEEDS_OWNER);
}
