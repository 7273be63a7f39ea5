import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { plainWords } from "../mail/plain-words.ts";

/** How messages name a workspace, and where its pages are. */
export interface WorkspaceAddress {
  /** Null if it was deleted meanwhile. */
  name: string | null;
  /** The origin of the pages and `/w/{slug}`: without the slug, a member of several workspaces would land in another one. */
  url: string;
}

/** `db` is the directory. */
export async function readWorkspaceAddress(
  db: Database,
  workspaceId: WorkspaceId,
  publicUrl: string,
): Promise<WorkspaceAddress> {
  const { rows } = await sql<{ slug: string; name: string }>`
    select slug, name from workspaces where id = ${workspaceId}`.execute(db);
  const [found] = rows;
  return found ? { name: found.name, url: `${publicUrl}/w/${found.slug}` } : { name: null, url: publicUrl };
}

/** A workspace in a sentence. */
export const workspaceName = ({ name }: WorkspaceAddress): string =>
  name === null ? "your workspace" : `the workspace ${plainWords(name)}`;

/** The address of a page of the workspace. What servers of earlier versions stored is a whole address already. */
export const pageIn = ({ url }: WorkspaceAddress, path: string): string =>
  path.startsWith("/") ? `${url}${path}` : path;
