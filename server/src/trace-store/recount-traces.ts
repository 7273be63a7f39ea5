import { DECISION_POINT_TYPES, type DecisionPointType, STATUSES, type Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { recordChanges } from "../live/record-changes.ts";
import { clearDays, listTraceDays } from "./decision-days.ts";
import { removeRemains } from "./remove-remains.ts";
import { addTotals, lockTotals, noTotals, readTotals, type Totals } from "./totals.ts";
import { refreshAgentSessions } from "./track-agent-sessions.ts";

const AGENT_SESSIONS_PER_CHUNK = 500;

export interface Recount {
  /** The traces that were deleted by hand and of which something was left. */
  removedTraces: number;
  /** The agent sessions that were missing, had no trace or the wrong time. */
  correctedAgentSessions: number;
  /** What was added to the stored totals that were wrong. */
  corrections: Partial<Totals>;
}

/**
 * Computes everything again that is stored about a user's traces. Runs in short transactions, and is exact while traces
 * are stored and deleted. Two recounts of a user take turns.
 */
export function recountTraces(db: Database, userId: string): Promise<Recount> {
  return db.transaction().execute(async (lock) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`recount ${userId}`}, 0))`.execute(lock);
    const removedTraces = await removeRemains(db, userId);
    const correctedAgentSessions = await recountAgentSessions(db, userId);
    const corrections = await db
      .transaction()
      .setIsolationLevel("repeatable read")
      .execute((snapshot) => findWrongTotals(snapshot, userId));
    const recount = { removedTraces, correctedAgentSessions, corrections };
    const days = await listTraceDays(db, userId);
    const isWrong = removedTraces + correctedAgentSessions + Object.keys(corrections).length > 0;
    if (isWrong || days.some(({ isRecorded }) => !isRecorded))
      await transaction(db, async (trx) => {
        await addTotals(trx, [{ userId, change: { ...noTotals(), ...corrections } }]);
        await clearDays(trx, userId, new Set(days.map(({ day }) => day)));
        await recordChanges(trx, [{ userId, traces: null }]);
      });
    return recount;
  });
}

/**
 * The differences between counted rows and stored totals in one snapshot. Other transactions change both by the same
 * amounts, so the differences stay right while traces are stored, and can be added later.
 */
async function findWrongTotals(snapshot: Database, userId: string): Promise<Partial<Totals>> {
  const stored = await readTotals(snapshot, userId);
  const { rows } = await sql<{ kind: Status | DecisionPointType; count: number }>`
    select status as kind, count(*) as count from traces where user_id = ${userId} group by status
    union all
    select type, count(*) from decision_points where user_id = ${userId} group by type`.execute(snapshot);
  const counted = { ...noTotals(), ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
  const corrections: Partial<Totals> = {};
  for (const kind of [...STATUSES, ...DECISION_POINT_TYPES])
    if (counted[kind] !== stored[kind]) corrections[kind] = counted[kind] - stored[kind];
  return corrections;
}

async function recountAgentSessions(db: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(stored.session_id, counted.session_id) as id
    from (select session_id, last_started_at from agent_sessions where user_id = ${userId}) as stored
    full join (
      select session_id, max(started_at) as last_started_at from traces
      where user_id = ${userId} and session_id is not null group by session_id
    ) as counted on counted.session_id = stored.session_id
    where stored.last_started_at is distinct from counted.last_started_at`.execute(db);
  const wrong = rows.map((row) => row.id);
  for (let start = 0; start < wrong.length; start += AGENT_SESSIONS_PER_CHUNK)
    await transaction(db, async (trx) => {
      await lockTotals(trx, userId);
      await refreshAgentSessions(trx, userId, wrong.slice(start, start + AGENT_SESSIONS_PER_CHUNK));
    });
  return wrong.length;
}
