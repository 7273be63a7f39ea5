import { sql } from "kysely";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** The ids of the workspace's newest traces. */
export async function newestTraces(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  limit: number,
): Promise<string[]> {
  const { rows } = await reads.run(workspaceId, (db) =>
    sql<{ id: string }>`
      select id from traces where workspace_id = ${workspaceId} order by started_at desc, id desc limit ${limit}`.execute(
      db,
    ),
  );
  return rows.map(({ id }) => id);
}
