import type { RunOutcome } from "@whytrace/contract/schemas/outcomes";
import { RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readStoredDefinition } from "../../outcomes/read-definitions.ts";
import { judgeStoredTraces } from "../../trace-store/outcomes/judge-stored-traces.ts";

/** How a run is judged and why, by the definition by which it was judged last. Undefined if there is no such trace. */
export async function readRunOutcome(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<RunOutcome | undefined> {
  const { rows } = await sql<{ agentHash: number; definition: number }>`
    select agent_hash, definition from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(
    db,
  );
  if (!rows[0]) return undefined;
  const definition = await readStoredDefinition(db, workspaceId, rows[0]);
  const [judged] = await judgeStoredTraces(db, workspaceId, [traceId], () => definition);
  if (!judged) return undefined;
  const { row, judgement } = judged;
  const outcome = RUN_OUTCOMES[row.outcome] ?? judgement.outcome;
  return {
    outcome,
    reasons: outcome === "bad" ? judgement.reasons : [],
    missing: judgement.missing,
    definition: { agent: definition.agent, version: definition.version },
  };
}
