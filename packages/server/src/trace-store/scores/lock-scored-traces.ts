import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** A trace whose scores change. */
export interface LockedScored {
  id: string;
  startedAt: string;
}

/** Locks those of the traces that exist, sorted by id, so that nobody else changes them or their scores. */
export async function lockScoredTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<ReadonlyMap<string, LockedScored>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LockedScored>`
    select id, started_at from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})
    order by id for no key update`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}
