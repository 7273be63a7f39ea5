import type { WorkspaceId } from "../../db/workspace-id.ts";
import { blameStoredRun } from "./blame-stored-run.ts";
import type { RunLearner } from "./run-learner.ts";

/**
 * The run to compare a run that went wrong with: it went well and chose otherwise at the first suspect. Undefined if there is none, or
 * if nothing went wrong.
 */
export async function suggestPartner(
  learner: RunLearner,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<string | undefined> {
  return (await blameStoredRun(learner, workspaceId, { traceId }))?.partner?.traceId;
}
