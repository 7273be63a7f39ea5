import type { RunOutcome } from "@whytrace/contract/schemas/outcomes";
import { RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { judgeStoredRun } from "../../trace-store/outcomes/judge-stored-run.ts";

/** How a run is judged and why, by the definition by which it was judged last. Undefined if there is no such trace. */
export async function readRunOutcome(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<RunOutcome | undefined> {
  const judged = await judgeStoredRun(db, workspaceId, traceId);
  if (!judged) return undefined;
  const { row, judgement, definition } = judged;
  const outcome = RUN_OUTCOMES[row.outcome] ?? judgement.outcome;
  return {
    outcome,
    reasons: outcome === "bad" ? judgement.reasons.map(({ fingerprint: _, ...reason }) => reason) : [],
    missing: judgement.missing,
    definition: { agent: definition.agent, version: definition.version },
  };
}
