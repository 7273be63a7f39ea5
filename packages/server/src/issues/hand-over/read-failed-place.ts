import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** Where the newest run of an issue failed or was scored; the span is null if it is not known. Undefined if all runs were deleted. */
export async function readFailedPlace(
  db: Database,
  workspaceId: WorkspaceId,
  number: number,
): Promise<{ traceId: string; spanId: string | null } | undefined> {
  const { rows } = await sql<{ traceId: string; spanId: string | null }>`
    select problem_runs.trace_id, problem_runs.span_id
    from issue_problems join problem_runs
      on problem_runs.workspace_id = ${workspaceId} and problem_runs.problem = issue_problems.problem
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = ${number}
    order by problem_runs.started_at desc, problem_runs.trace_id, problem_runs.kind limit 1`.execute(db);
  return rows[0];
}
