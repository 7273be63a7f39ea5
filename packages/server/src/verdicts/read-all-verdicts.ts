import type { Verdict } from "@whytrace/contract";
import { sql } from "kysely";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

const ROWS_PER_PAGE = 1_000;

/** All verdicts of a workspace, without their decisions. Is never refused, so a caller must limit its calls. */
export async function* readAllVerdicts(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
): AsyncGenerator<Verdict> {
  let last: Pick<Verdict, "traceId" | "decisionPointId"> = { traceId: "", decisionPointId: "" };
  for (;;) {
    const { traceId, decisionPointId } = last;
    const { rows } = await reads.run(
      workspaceId,
      (db) =>
        sql<Verdict>`
          select trace_id, decision_point_id, verdict, should_have_been, note, suspect_rank, created_at from verdicts
          where workspace_id = ${workspaceId} and (trace_id, decision_point_id) > (${traceId}, ${decisionPointId})
          order by trace_id, decision_point_id limit ${ROWS_PER_PAGE}`.execute(db),
      { isContinued: true },
    );
    yield* rows;
    last = rows.at(-1) ?? last;
    if (rows.length < ROWS_PER_PAGE) return;
  }
}
