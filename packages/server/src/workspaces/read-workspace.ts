import type { CurrentWorkspace, WorkspacePolicy } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import type { MemberSession } from "./member-session.ts";
import { WORKSPACE_NOT_FOUND } from "./require-member.ts";

/** The workspace of a request, as its member sees it. */
export async function readWorkspace(
  db: Database,
  { workspaceId, role }: Pick<MemberSession, "workspaceId" | "role">,
): Promise<CurrentWorkspace> {
  const { rows } = await sql<Pick<CurrentWorkspace, "id" | "slug" | "name" | "createdAt"> & WorkspacePolicy>`
    select id, slug, name, created_at, require_second_factor, sso_provider, max_session_hours
    from workspaces where id = ${workspaceId}`.execute(db);
  const [row] = rows;
  if (!row) throw new HttpError(404, WORKSPACE_NOT_FOUND);
  const { requireSecondFactor, ssoProvider, maxSessionHours, ...workspace } = row;
  return { ...workspace, role, policy: { requireSecondFactor, ssoProvider, maxSessionHours } };
}
