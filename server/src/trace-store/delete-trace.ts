import type { Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { Live } from "../live/live.ts";
import { recordChanges } from "../live/record-changes.ts";
import { clearDays, dayOf } from "./decision-days.ts";
import { deleteChildren, deleteVerdicts } from "./delete-children.ts";
import { deleteManifests } from "./manifests.ts";
import { addTotals, countDeletion, noTotals } from "./totals.ts";
import { refreshAgentSessions } from "./track-agent-sessions.ts";

interface DeletedTrace {
  status: Status;
  sessionId: string | null;
  createdAt: string;
  startedAt: string;
  decisionPointCount: number;
}

/** Deletes a trace and everything in it, and frees its id. Returns false if the user has no such trace. */
export async function deleteTrace(
  { db, live }: { db: Database; live: Live },
  userId: string,
  traceId: string,
): Promise<boolean> {
  const isDeleted = await transaction(db, async (trx) => {
    const { rows } = await sql<DeletedTrace>`
      delete from traces where user_id = ${userId} and id = ${traceId}
      returning status, session_id, created_at, started_at, decision_point_count`.execute(trx);
    const [trace] = rows;
    if (!trace) return false;
    const decisions = await deleteChildren(trx, userId, [traceId]);
    await deleteVerdicts(trx, userId, [traceId]);
    await deleteManifests(trx, userId, [traceId]);
    await sql`delete from trace_owners where trace_id = ${traceId} and user_id = ${userId}`.execute(trx);
    const change = noTotals();
    change[trace.status] -= 1;
    for (const type of decisions) change[type] -= 1;
    await addTotals(trx, [{ userId, change }]);
    if (trace.decisionPointCount > 0) await clearDays(trx, userId, new Set([dayOf(trace.startedAt)]));
    await countDeletion(trx, userId, trace.createdAt);
    await refreshAgentSessions(trx, userId, [trace.sessionId]);
    await recordChanges(trx, [{ userId, traces: [{ id: traceId, change: "deleted" }] }]);
    return true;
  });
  if (isDeleted) live.changed(userId);
  return isDeleted;
}
