import type { Status } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { recordChanges } from "../live/record-changes.ts";
import { clearDays, dayOf } from "./decision-days.ts";
import { deleteRows } from "./delete-children.ts";
import { addTotals, countDeletions, noTotals } from "./totals.ts";
import { refreshAgentSessions } from "./track-agent-sessions.ts";

interface LockedTrace {
  id: string;
  status: Status;
  sessionId: string | null;
  createdAt: string;
  startedAt: string;
  decisionPointCount: number;
}

export interface DeletionConditions {
  /** A condition on the rows of traces. It is checked with the traces locked. */
  where?: RawBuilder<unknown>;
  /** Leaves out traces that another transaction is writing, instead of waiting for it. */
  skipLocked?: boolean;
  /** Runs when everything is deleted but the totals are not locked yet. If it throws, nothing is deleted. */
  check?: () => Promise<void>;
}

/**
 * Deletes traces of a user and everything in them, frees their ids, and updates what is counted about them, in the
 * caller's transaction. Returns the number of traces. Locks are taken in the order of `store-traces.ts`.
 */
export async function deleteTraces(
  trx: Database,
  userId: string,
  traceIds: string[],
  { where = sql`true`, skipLocked = false, check }: DeletionConditions = {},
): Promise<number> {
  const { rows: traces } = await sql<LockedTrace>`
    select id, status, session_id, created_at, started_at, decision_point_count from traces
    where user_id = ${userId} and id = any(${textList(traceIds)}) and ${where}
    order by id for update ${skipLocked ? sql`skip locked` : sql``}`.execute(trx);
  if (traces.length === 0) return 0;
  const ids = traces.map(({ id }) => id);
  const decisions = await deleteRows(trx, userId, ids);
  await check?.();
  const change = noTotals();
  for (const { status } of traces) change[status] -= 1;
  for (const type of decisions) change[type] -= 1;
  await addTotals(trx, [{ userId, change }]);
  const decided = traces.filter(({ decisionPointCount }) => decisionPointCount > 0);
  await clearDays(trx, userId, new Set(decided.map(({ startedAt }) => dayOf(startedAt))));
  await countDeletions(
    trx,
    userId,
    traces.map(({ createdAt }) => createdAt),
  );
  await refreshAgentSessions(
    trx,
    userId,
    traces.map(({ sessionId }) => sessionId),
  );
  await recordChanges(trx, [{ userId, traces: ids.map((id) => ({ id, change: "deleted" })) }]);
  return traces.length;
}
