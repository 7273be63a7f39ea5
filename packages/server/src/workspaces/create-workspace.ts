import type { Workspace } from "@whytrace/contract";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { randomSlug } from "./slug.ts";

/** Creates a workspace that the user owns. */
export async function createWorkspace(
  trx: Database,
  { userId, name, origin }: { userId: UserId; name: string; origin: Origin },
): Promise<Workspace & { id: WorkspaceId }> {
  const { rows } = await sql<{ id: WorkspaceId; slug: string; name: string; createdAt: string }>`
    insert into workspaces (slug, name) values (${randomSlug()}, ${name})
    returning id, slug, name, created_at`.execute(trx);
  const [created] = rows;
  if (!created) throw new Error("The workspace was not created");
  await sql`
    insert into memberships (user_id, workspace_id, role) values (${userId}, ${created.id}, 'owner')`.execute(
    trx,
  );
  await recordEvent(trx, created.id, origin, { action: "workspace.created", details: { name } });
  return { ...created, role: "owner", blockedBy: null };
}

const MAX_OWNER_LENGTH = 80;

/** The name of the workspace that a person gets by registering. */
export const firstWorkspaceName = ({ name, email }: { name: string | null; email: string }) =>
  `${(name ?? email.split("@")[0] ?? "").slice(0, MAX_OWNER_LENGTH)}'s workspace`;
