import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

export interface ListedWorkspace {
  slug: string;
  name: string;
  members: number;
  /** Their addresses. */
  owners: string[];
}

/** All workspaces that somebody belongs to, for the operator, oldest first. */
export async function listAllWorkspaces(db: Database): Promise<ListedWorkspace[]> {
  const { rows } = await sql<ListedWorkspace>`
    select workspaces.slug, workspaces.name, count(*)::integer as members,
      coalesce(array_agg(users.email order by users.email) filter (where memberships.role = 'owner'), '{}') as owners
    from workspaces join memberships on memberships.workspace_id = workspaces.id
      join users on users.id = memberships.user_id
    group by workspaces.id order by workspaces.created_at, workspaces.id`.execute(db);
  return rows;
}
