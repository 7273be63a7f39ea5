import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { WORKSPACE_NOT_FOUND } from "./require-member.ts";

export async function findWorkspaceBySlug(db: Database, slug: string): Promise<WorkspaceId | undefined> {
  const { rows } = await sql<{ id: WorkspaceId }>`select id from workspaces where slug = ${slug}`.execute(db);
  return rows[0]?.id;
}

/** Throws 404 if an address names another workspace than that of the key. */
export async function requireSlug(
  db: Database,
  workspaceId: WorkspaceId,
  slug: string | undefined,
): Promise<void> {
  if (slug === undefined) return;
  const { rows } = await sql<{ slug: string }>`select slug from workspaces where id = ${workspaceId}`.execute(
    db,
  );
  if (rows[0]?.slug !== slug) throw new HttpError(404, WORKSPACE_NOT_FOUND);
}
