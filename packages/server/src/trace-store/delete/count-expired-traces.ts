import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { isExpired } from "./is-expired.ts";

/** How many of a workspace's traces are older than `days`. */
export async function countExpiredTraces(
  db: Database,
  workspaceId: WorkspaceId,
  days: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from traces where workspace_id = ${workspaceId} and ${isExpired(days)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
