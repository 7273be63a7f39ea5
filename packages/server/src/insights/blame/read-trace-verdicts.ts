import type { Verdict } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** What was said about decisions of a trace, by their ids. */
export async function readTraceVerdicts(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<Map<string, Verdict>> {
  const { rows } = await sql<Verdict>`
    select trace_id, decision_point_id, verdict, should_have_been, note, suspect_rank, created_at
    from verdicts where workspace_id = ${workspaceId} and trace_id = ${traceId}`.execute(db);
  return new Map(rows.map((verdict) => [verdict.decisionPointId, verdict]));
}
