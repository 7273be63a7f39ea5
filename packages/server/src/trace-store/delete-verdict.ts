import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Takes back what a person said about a decision. Returns false if there is no such verdict. */
export async function deleteVerdict(
  db: Database,
  workspaceId: WorkspaceId,
  { traceId, decisionPointId }: { traceId: string; decisionPointId: string },
): Promise<boolean> {
  const { rows } = await sql`
    delete from verdicts
    where workspace_id = ${workspaceId} and trace_id = ${traceId} and decision_point_id = ${decisionPointId}
    returning verdict`.execute(db);
  return rows.length > 0;
}
