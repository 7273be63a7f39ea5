import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { requireRole, WORKSPACE_NOT_FOUND } from "./require-member.ts";

/**
 * Locks the row of the workspace, which every change of its members, keys, links and invitations does first: so these wait for
 * each other, and none of them deadlocks. Foreign keys do not wait for this lock.
 */
export async function lockWorkspace(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  const { rows } = await sql`
    select id from workspaces where id = ${workspaceId} for no key update`.execute(trx);
  if (rows.length === 0) throw new HttpError(404, WORKSPACE_NOT_FOUND);
}

/** Checks the role again behind the lock: the user may have been removed since the guard read it. Returns the role. */
export async function lockMember(
  trx: Database,
  { workspaceId, userId, needed }: { workspaceId: WorkspaceId; userId: UserId; needed: Role },
): Promise<Role> {
  await lockWorkspace(trx, workspaceId);
  const role = await readRole(trx, workspaceId, userId);
  if (!role) throw new HttpError(404, WORKSPACE_NOT_FOUND);
  requireRole(role, needed);
  return role;
}

export async function readRole(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<Role | undefined> {
  const { rows } = await sql<{ role: Role }>`
    select role from memberships
    where workspace_id = ${workspaceId} and user_id::text = ${userId} for share`.execute(trx);
  return rows[0]?.role;
}
