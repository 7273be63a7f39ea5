import type { Status } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { eraseEvents } from "../../channels/erase-events.ts";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { recordChanges } from "../../live/record-changes.ts";
import { clearDays, dayOf } from "../counts/decision-days.ts";
import { addTotals, countDeletions, noTotals } from "../counts/totals.ts";
import { refreshAgentSessions } from "../counts/track-agent-sessions.ts";
import { deleteFindingsWithoutRuns } from "../counts/why-findings.ts";
import { touchProblems } from "../problems/write-problems.ts";
import { deleteRows } from "./delete-children.ts";

interface DeletedTrace {
  id: string;
  status: Status;
  sessionId: string | null;
  createdAt: string;
  startedAt: string;
  decisionPointCount: number;
  agentHash: number | null;
  isBad: boolean;
}

interface DeletionConditions {
  /** A condition on the rows of traces. It is checked with the traces locked. */
  where?: RawBuilder<unknown>;
  /** Leaves out traces that another transaction is writing, instead of waiting for it. */
  skipLocked?: boolean;
  /** Runs when everything is deleted but the totals are not locked yet. If it throws, nothing is deleted. */
  check?: () => Promise<void>;
}

/**
 * Deletes traces of a workspace and everything in them, frees their ids, and updates what is counted about them, in the
 * caller's transaction. Returns the number of traces. Locks are taken in the order of `store-requests.ts`.
 */
export async function deleteTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
  { where = sql`true`, skipLocked = false, check }: DeletionConditions = {},
): Promise<number> {
  const { rows: traces } = await sql<DeletedTrace>`
    select id, status, session_id, created_at, started_at, decision_point_count, agent_hash,
      problems is not null as is_bad from traces
    where workspace_id = ${workspaceId} and id = any(${textList(traceIds)}) and ${where}
    order by id for update ${skipLocked ? sql`skip locked` : sql``}`.execute(trx);
  if (traces.length === 0) return 0;
  const ids = traces.map(({ id }) => id);
  const decisions = await deleteRows(trx, workspaceId, ids);
  await check?.();
  const change = noTotals();
  for (const { status } of traces) change[status] -= 1;
  for (const type of decisions) change[type] -= 1;
  await addTotals(trx, [{ workspaceId, change }]);
  // An issue may have lost its last run.
  if (traces.some(({ isBad }) => isBad)) await touchProblems(trx, workspaceId, { isGone: true });
  await eraseEvents(trx, workspaceId, ids);
  const decided = traces.filter(({ decisionPointCount }) => decisionPointCount > 0);
  await clearDays(trx, workspaceId, new Set(decided.map(({ startedAt }) => dayOf(startedAt))));
  await deleteFindingsWithoutRuns(
    trx,
    workspaceId,
    traces.flatMap(({ agentHash }) => agentHash ?? []),
  );
  await countDeletions(
    trx,
    workspaceId,
    traces.map(({ createdAt }) => createdAt),
  );
  await refreshAgentSessions(
    trx,
    workspaceId,
    traces.map(({ sessionId }) => sessionId),
  );
  await recordChanges(trx, [{ workspaceId, traces: ids.map((id) => ({ id, change: "deleted" })) }]);
  return traces.length;
}
