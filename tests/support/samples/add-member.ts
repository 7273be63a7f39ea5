import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../../packages/server/src/db/database.ts";
import type { SignedInUser } from "../server/client.ts";

/** Adds a user to the workspace of another one, and returns the prefix of its addresses. Both keep their own workspaces. */
export async function addMember(
  db: Database,
  owner: SignedInUser,
  user: SignedInUser,
  role: Role,
): Promise<string> {
  await sql`
    insert into memberships (user_id, workspace_id, role) values (${user.userId}, ${owner.workspaceId}, ${role})`.execute(
    db,
  );
  return prefixOf(db, owner);
}

/** `/w/{slug}` of the workspace that a user got by registering. */
export async function prefixOf(db: Database, { workspaceId }: SignedInUser): Promise<string> {
  const { rows } = await sql<{ slug: string }>`select slug from workspaces where id = ${workspaceId}`.execute(
    db,
  );
  return `/w/${rows[0]?.slug}`;
}

/** An address that is verified may invite others, and create workspaces. */
export async function verifyAddress(db: Database, { userId }: SignedInUser): Promise<void> {
  await sql`update users set email_verified_at = now() where id = ${userId}`.execute(db);
}
