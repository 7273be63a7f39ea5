import type { Workspace } from "@whytrace/contract";
import { sql } from "kysely";
import { policyBlocks, type SignInPolicy } from "../auth/policy-blocks.ts";
import type { CurrentSession } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** The workspaces that a user belongs to, oldest membership first. */
export async function listWorkspaces(
  db: Database,
  { user, signIn }: Pick<CurrentSession, "user" | "signIn">,
): Promise<(Workspace & { id: WorkspaceId })[]> {
  const { rows } = await sql<Omit<Workspace, "id" | "blockedBy"> & SignInPolicy & { id: WorkspaceId }>`
    select workspaces.id, workspaces.slug, workspaces.name, memberships.role, workspaces.created_at,
      require_second_factor, sso_provider, max_session_hours
    from memberships join workspaces on workspaces.id = memberships.workspace_id
    where memberships.user_id = ${user.id}
    order by memberships.created_at, workspaces.id`.execute(db);
  return rows.map(({ requireSecondFactor, ssoProvider, maxSessionHours, ...workspace }) => ({
    ...workspace,
    blockedBy: policyBlocks({ requireSecondFactor, ssoProvider, maxSessionHours }, signIn),
  }));
}
