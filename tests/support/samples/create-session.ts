import { sql } from "kysely";
import { hashToken, randomToken } from "../../../packages/server/src/auth/random-token.ts";
import type { Database } from "../../../packages/server/src/db/database.ts";
import type { WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";

export async function findWorkspaceId(db: Database, email: string): Promise<WorkspaceId> {
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select workspace_id from memberships where user_id = (select id from users where email = ${email})`.execute(
    db,
  );
  const [membership] = rows;
  if (!membership) throw new Error(`No user ${email} in the database: run lab/bench/load-tenants.ts first`);
  return membership.workspaceId;
}

/** Inserts a session of a workspace's owner directly, which avoids the slow password hash; returns the token of its cookie. */
export async function createSession(db: Database, workspaceId: WorkspaceId): Promise<string> {
  const token = randomToken();
  await sql`
    insert into sessions (user_id, token_hash, expires_at)
    select user_id, ${hashToken(token)}, now() + interval '1 day' from memberships
    where workspace_id = ${workspaceId}`.execute(db);
  return token;
}
