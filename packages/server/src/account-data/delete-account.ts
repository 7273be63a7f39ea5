import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import { deleteUser } from "../accounts/delete-user.ts";
import { revokeMadeKeys } from "../api-keys/revoke-api-key.ts";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { SessionUser } from "../auth/sessions.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { unassignLeaver } from "../issues/leaving/unassign-leavers.ts";
import { deleteMail } from "../mail/delete-mail.ts";
import type { DeletionOptions } from "./continue-deletions.ts";
import { deleteTracesNow, endWorkspace } from "./delete-workspace.ts";

export const onlyOwner = (workspace: string) =>
  `You are the only owner of ${workspace}. Make somebody else an owner, or delete the workspace.`;

interface OwnWorkspace {
  id: WorkspaceId;
  name: string;
  role: Role;
  isAlone: boolean;
  isOnlyOwner: boolean;
}

/**
 * Deletes a user, and the workspaces in which nobody else is: first all of it in one transaction, so that nobody can sign in or
 * send traces; then the traces. Nothing is deleted if a workspace with other members would be left without an owner.
 */
export async function deleteAccount(
  options: Omit<DeletionOptions, "stopping">,
  user: SessionUser,
  origin: Origin,
): Promise<void> {
  const { leases, left } = await transaction(options.db, async (trx) => {
    const workspaces = await lockWorkspaces(trx, user.id);
    // Before the events: a sign-in locks the user and then the positions of the logs.
    await sql`select id from users where id = ${user.id} for update`.execute(trx);
    const orphaned = workspaces.find(({ isAlone, isOnlyOwner }) => isOnlyOwner && !isAlone);
    if (orphaned) throw new HttpError(409, onlyOwner(orphaned.name));
    const ended = workspaces.filter(({ isAlone }) => isAlone);
    const left = workspaces.filter(({ isAlone }) => !isAlone);
    const requested = [];
    for (const { id } of ended) requested.push(await endWorkspace(trx, id));
    for (const { id, role } of left) {
      const keysRevoked = await revokeMadeKeys(trx, id, { userId: user.id, role }, "reading");
      const target = { kind: "user", id: user.id, name: user.email };
      await recordEvent(trx, id, origin, { action: "member.left", target, details: { keysRevoked } });
    }
    await deleteUser(trx, user.id);
    await deleteMail(trx, user.email);
    return { leases: requested, left };
  });
  for (const { id } of left) await unassignLeaver(options, id, { userId: user.id, by: user.id });
  await deleteTracesNow(options, leases);
}

/** The user's workspaces, whose rows it locks in the order of their ids. */
async function lockWorkspaces(trx: Database, userId: UserId): Promise<OwnWorkspace[]> {
  await sql`
    select id from workspaces where id in (select workspace_id from memberships where user_id = ${userId})
    order by id for no key update`.execute(trx);
  const { rows } = await sql<OwnWorkspace>`
    select workspaces.id, workspaces.name, memberships.role, count(*) = 1 as is_alone,
      coalesce(bool_and(members.user_id = ${userId}) filter (where members.role = 'owner'), false) as is_only_owner
    from memberships join workspaces on workspaces.id = memberships.workspace_id
      join memberships as members on members.workspace_id = workspaces.id
    where memberships.user_id = ${userId}
    group by workspaces.id, workspaces.name, memberships.role order by workspaces.id`.execute(trx);
  return rows;
}
