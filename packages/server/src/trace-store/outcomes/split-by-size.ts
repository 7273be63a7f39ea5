import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** Spans, decisions, events and scores of traces that are judged together, since all of them may be read. */
const MAX_SIZE = 20_000;

/** Splits stored traces so that few of a large size are judged at a time. A larger one is judged alone. */
export async function splitBySize(
  db: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  maxSize = MAX_SIZE,
): Promise<string[][]> {
  if (ids.length <= 1) return [ids];
  const { rows } = await sql<{ id: string; size: number }>`
    select id, span_count + decision_point_count + event_count + score_count as size
    from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})`.execute(db);
  const sizes = new Map(rows.map(({ id, size }) => [id, size]));
  const groups: string[][] = [];
  let left = 0;
  for (const id of ids) {
    const size = sizes.get(id) ?? 0;
    const group = groups.at(-1);
    if (group && size <= left) group.push(id);
    else {
      groups.push([id]);
      left = maxSize;
    }
    left -= size;
  }
  return groups;
}
