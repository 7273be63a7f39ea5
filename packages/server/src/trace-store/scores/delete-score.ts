import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { Conflict } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import { refreshOutcomes } from "../outcomes/refresh-outcomes.ts";
import { countScoredTraces } from "./count-scored-traces.ts";
import { lockScoredTraces } from "./lock-scored-traces.ts";
import { SCORE_ORIGINS } from "./score-rows.ts";

export const PART_OF_TRACE = "This score is part of its trace";

/** Deletes a score, and counts its trace again. Returns false if the workspace has no such score. */
export async function deleteScore(trx: Database, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const { rows } = await sql<{ traceId: string; origin: number }>`
    select trace_id, origin from scores where workspace_id = ${workspaceId} and id = ${id}`.execute(trx);
  const [stored] = rows;
  if (!stored) return false;
  if (stored.origin !== SCORE_ORIGINS.sent) throw new HttpError(409, PART_OF_TRACE);
  const locked = await lockScoredTraces(trx, workspaceId, [stored.traceId]);
  const { rows: deleted } = await sql<{ traceId: string }>`
    delete from scores where workspace_id = ${workspaceId} and id = ${id} returning trace_id`.execute(trx);
  // Another request has deleted it.
  if (!deleted[0]) return false;
  if (deleted[0].traceId !== stored.traceId) throw new Conflict("the score was moved meanwhile");
  const definitions = await readDefinitions(trx, workspaceId);
  await countScoredTraces(trx, [await refreshOutcomes(trx, workspaceId, [...locked.keys()], definitions)]);
  return true;
}
