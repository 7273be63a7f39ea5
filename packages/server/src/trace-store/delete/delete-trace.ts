import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import { deleteTraces } from "./delete-traces.ts";

/** Deletes a trace and everything in it, and frees its id. Returns false if the workspace has no such trace. */
export async function deleteTrace(
  { db, live }: { db: Database; live: Live },
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<boolean> {
  const deletedCount = await transaction(db, (trx) => deleteTraces(trx, workspaceId, [traceId]));
  if (deletedCount > 0) live.changed(workspaceId);
  return deletedCount > 0;
}
