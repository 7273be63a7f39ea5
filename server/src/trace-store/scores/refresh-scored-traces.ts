import type { Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** The traces of a workspace whose scores changed. */
export interface ScoredChange {
  workspaceId: WorkspaceId;
  traces: { id: string; status: Status }[];
}

/** Stores what follows from the scores of traces that the caller has locked. */
export async function refreshScoredTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<ScoredChange> {
  if (ids.length === 0) return { workspaceId, traces: [] };
  const { rows } = await sql<{ id: string; status: Status }>`
    update traces set score_count = counted.scores
    from (
      select listed.id, count(scores.id) as scores from unnest(${textList(ids)}) as listed (id)
        left join scores on scores.workspace_id = ${workspaceId} and scores.trace_id = listed.id collate "C"
          and not scores.is_waiting
      group by listed.id
    ) as counted
    where traces.workspace_id = ${workspaceId} and traces.id = counted.id collate "C"
    returning traces.id, traces.status`.execute(trx);
  return { workspaceId, traces: rows };
}
