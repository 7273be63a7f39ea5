import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";

export const MEMBER_NOT_FOUND = "Member not found";

interface StoredMember {
  userId: UserId;
  email: string;
  role: Role;
}

/** Throws 404 if the workspace has no such member. */
export async function readMember(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<StoredMember> {
  const { rows } = await sql<StoredMember>`
    select memberships.user_id, users.email, memberships.role
    from memberships join users on users.id = memberships.user_id
    where memberships.workspace_id = ${workspaceId} and memberships.user_id::text = ${userId}`.execute(trx);
  const [member] = rows;
  if (!member) throw new HttpError(404, MEMBER_NOT_FOUND);
  return member;
}

/** A member as the target of an audit event. */
export const memberTarget = ({ userId, email }: StoredMember) => ({ kind: "user", id: userId, name: email });
