import { includesRole, type Member } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { MemberSession } from "../workspaces/member-session.ts";

/** Admins and owners also see when a member was last seen, and whether they have a second factor. */
export async function listMembers(
  db: Database,
  { workspaceId, role }: Pick<MemberSession, "workspaceId" | "role">,
): Promise<Member[]> {
  const { rows } = await sql<Required<Member>>`
    select users.id as user_id, users.name, users.email, memberships.role, memberships.created_at as joined_at,
      (select max(last_seen_at) from sessions where sessions.user_id = users.id) as last_seen_at,
      exists (select from passkeys where passkeys.user_id = users.id)
        or exists (
          select from totp_secrets
          where totp_secrets.user_id = users.id and totp_secrets.confirmed_at is not null) as has_second_factor
    from memberships join users on users.id = memberships.user_id
    where memberships.workspace_id = ${workspaceId}
    order by memberships.created_at, users.id`.execute(db);
  if (includesRole(role, "admin")) return rows;
  return rows.map(({ lastSeenAt: _, hasSecondFactor: __, ...member }) => member);
}
