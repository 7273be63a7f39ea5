import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { scoreColumns } from "./score-columns.ts";
import { type ScoreFilter, scoreConditions } from "./score-filter.ts";

/** One page of a workspace's scores as JSON, newest first. */
export async function listScores(
  db: Database,
  workspaceId: WorkspaceId,
  { page, limit, ...filter }: ScoreFilter & { page: number; limit: number },
): Promise<{ scores: string[]; total: number }> {
  const where = scoreConditions(workspaceId, filter);
  const [found, counted] = await Promise.all([
    sql<{ json: string }>`
      select row_to_json(listed)::text as json from (
        select ${scoreColumns()} from scores where ${where}
        order by scores.timestamp desc, scores.id desc limit ${limit} offset ${(page - 1) * limit}) as listed`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from scores where ${where}`.execute(db),
  ]);
  return { scores: found.rows.map(({ json }) => json), total: counted.rows[0]?.total ?? 0 };
}

/** A score as JSON, or undefined. */
export async function getScore(
  db: Database,
  workspaceId: WorkspaceId,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ json: string }>`
    select row_to_json(found)::text as json from (
      select ${scoreColumns()} from scores where workspace_id = ${workspaceId} and id = ${id}) as found`.execute(
    db,
  );
  return rows[0]?.json;
}
