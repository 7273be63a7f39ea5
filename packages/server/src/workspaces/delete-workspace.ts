import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Foreign keys cascade to memberships, API keys, links, views and price rules. */
export async function deleteWorkspace(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from workspaces where id = ${workspaceId}`.execute(trx);
}
