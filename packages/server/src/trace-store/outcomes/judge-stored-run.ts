import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readStoredDefinition } from "../../outcomes/read-definitions.ts";
import { type JudgedTrace, judgeStoredTraces } from "./judge-stored-traces.ts";

/** Judges a run by the definition by which it was judged last. Undefined if there is no such trace. */
export async function judgeStoredRun(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<JudgedTrace | undefined> {
  const { rows } = await sql<{ agentHash: number; definition: number }>`
    select agent_hash, definition from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(
    db,
  );
  if (!rows[0]) return undefined;
  const definition = await readStoredDefinition(db, workspaceId, rows[0]);
  const [judged] = await judgeStoredTraces(db, workspaceId, [traceId], () => definition);
  return judged;
}
