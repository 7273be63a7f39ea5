import { DECISION_POINT_TYPES, type DecisionPointType, STATUSES, type Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { recordChanges } from "../../live/record-changes.ts";
import { clearDays, listTraceDays } from "../counts/decision-days.ts";
import { addTotals, lockTotals, noTotals, readTotals, type Totals } from "../counts/totals.ts";
import { refreshAgentSessions } from "../counts/track-agent-sessions.ts";
import { deleteOrphans } from "../delete/delete-orphans.ts";

const AGENT_SESSIONS_PER_CHUNK = 500;

export interface Recount {
  /** The traces that were deleted by hand and had orphaned rows. */
  removedTraces: number;
  /** The agent sessions that were missing, had no trace or the wrong time. */
  correctedAgentSessions: number;
  /** What was added to the stored totals that were wrong. */
  corrections: Partial<Totals>;
}

/**
 * Computes everything again that is stored about a workspace's traces. Runs in short transactions, and is exact while traces
 * are stored and deleted. Two recounts of a workspace wait for each other.
 */
export function recountTraces(db: Database, workspaceId: WorkspaceId): Promise<Recount> {
  return db.transaction(async (lock) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`recount ${workspaceId}`}, 0))`.execute(lock);
    const removedTraces = await deleteOrphans(db, workspaceId);
    const correctedAgentSessions = await recountAgentSessions(db, workspaceId);
    const corrections = await db.transaction((snapshot) => findWrongTotals(snapshot, workspaceId), {
      isolationLevel: "repeatable read",
    });
    const recount = { removedTraces, correctedAgentSessions, corrections };
    const days = await listTraceDays(db, workspaceId);
    const isWrong = removedTraces + correctedAgentSessions + Object.keys(corrections).length > 0;
    if (isWrong || days.some(({ isRecorded }) => !isRecorded))
      await transaction(db, async (trx) => {
        await addTotals(trx, [{ workspaceId, change: { ...noTotals(), ...corrections } }]);
        await clearDays(trx, workspaceId, new Set(days.map(({ day }) => day)));
        await recordChanges(trx, [{ workspaceId, traces: null }]);
      });
    return recount;
  });
}

/**
 * The differences between counted rows and stored totals in one snapshot. Other transactions change both by the same
 * amounts, so the differences stay right while traces are stored, and can be added later.
 */
async function findWrongTotals(snapshot: Database, workspaceId: WorkspaceId): Promise<Partial<Totals>> {
  const stored = await readTotals(snapshot, workspaceId);
  const { rows } = await sql<{ kind: Status | DecisionPointType; count: number }>`
    select status as kind, count(*) as count from traces where workspace_id = ${workspaceId} group by status
    union all
    select type, count(*) from decision_points where workspace_id = ${workspaceId} group by type`.execute(
    snapshot,
  );
  const counted = { ...noTotals(), ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
  const corrections: Partial<Totals> = {};
  for (const kind of [...STATUSES, ...DECISION_POINT_TYPES])
    if (counted[kind] !== stored[kind]) corrections[kind] = counted[kind] - stored[kind];
  return corrections;
}

async function recountAgentSessions(db: Database, workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(stored.session_id, counted.session_id) as id
    from (select session_id, last_started_at from agent_sessions where workspace_id = ${workspaceId}) as stored
    full join (
      select session_id, max(started_at) as last_started_at from traces
      where workspace_id = ${workspaceId} and session_id is not null group by session_id
    ) as counted on counted.session_id = stored.session_id
    where stored.last_started_at is distinct from counted.last_started_at`.execute(db);
  const wrong = rows.map((row) => row.id);
  for (let start = 0; start < wrong.length; start += AGENT_SESSIONS_PER_CHUNK)
    await transaction(db, async (trx) => {
      await lockTotals(trx, workspaceId);
      await refreshAgentSessions(trx, workspaceId, wrong.slice(start, start + AGENT_SESSIONS_PER_CHUNK));
    });
  return wrong.length;
}
