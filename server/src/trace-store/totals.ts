import {
  DECISION_POINT_TYPES,
  type DecisionPointType,
  type ParsedTrace,
  STATUSES,
  type Status,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { forEachTenant } from "../db/sharding.ts";
import { textList } from "../db/text-list.ts";

/** How many traces of each status and decision points of each type a user has. */
export type Totals = Record<Status | DecisionPointType, number>;

export const noTotals = (): Totals => ({
  RUNNING: 0,
  COMPLETED: 0,
  ERROR: 0,
  TOOL_SELECTION: 0,
  ROUTING: 0,
  RETRY: 0,
  ESCALATION: 0,
  MEMORY_RETRIEVAL: 0,
  PLANNING: 0,
  CUSTOM: 0,
});

/** Reads a user's totals and their version, which increases with every change of the user's traces. */
export async function readTotals(db: Database, userId: string): Promise<Totals & { version: number }> {
  const { rows } = await sql<Totals & { version: number }>`
    select running as "RUNNING", completed as "COMPLETED", error as "ERROR", tool_selection as "TOOL_SELECTION",
      routing as "ROUTING", retry as "RETRY", escalation as "ESCALATION", memory_retrieval as "MEMORY_RETRIEVAL",
      planning as "PLANNING", custom as "CUSTOM", version
    from trace_totals where user_id = ${userId}`.execute(db.withoutPlugins());
  return rows[0] ?? { ...noTotals(), version: 0 };
}

/** Adds a trace to a change, with all its decision points or only those at some positions. */
export function addTrace(change: Totals, { status, decisionPoints }: ParsedTrace, positions?: number[]) {
  change[status] += 1;
  if (!positions) for (const { type } of decisionPoints) change[type] += 1;
  for (const position of positions ?? []) {
    const decision = decisionPoints[position];
    if (decision) change[decision.type] += 1;
  }
}

/** How a transaction changes a user's totals; deletions are negative. */
export interface TotalsChange {
  userId: string;
  change: Totals;
}

/**
 * Adds changes, sorted by user, to the stored totals, and increases their version even if no number changes. It is among
 * the last writes of a transaction, so that its locks are held briefly. Returns the versions by user.
 */
export async function addTotals(trx: Database, changes: TotalsChange[]): Promise<Map<string, number>> {
  const rows = await forEachTenant(trx, changes, async (tenants) => {
    const added = await sql<{ userId: string; version: number }>`/* prepared */
    insert into trace_totals as totals (user_id, running, completed, error, tool_selection, routing, retry, escalation,
      memory_retrieval, planning, custom, version)
    values ${sql.join(
      tenants.map(({ userId, change }) => {
        const counts = COUNTED.map((kind) => sql`${change[kind]}::bigint`);
        return sql`(${userId}::uuid, ${sql.join(counts)}, 1)`;
      }),
    )}
    on conflict (user_id) do update set
      running = totals.running + excluded.running,
      completed = totals.completed + excluded.completed,
      error = totals.error + excluded.error,
      tool_selection = totals.tool_selection + excluded.tool_selection,
      routing = totals.routing + excluded.routing,
      retry = totals.retry + excluded.retry,
      escalation = totals.escalation + excluded.escalation,
      memory_retrieval = totals.memory_retrieval + excluded.memory_retrieval,
      planning = totals.planning + excluded.planning,
      custom = totals.custom + excluded.custom,
      version = totals.version + 1
    returning totals.user_id, totals.version`.execute(trx);
    return added.rows;
  });
  return new Map(rows.map(({ userId, version }) => [userId, version]));
}

/** In the order of the columns above. */
const COUNTED = [
  "RUNNING",
  "COMPLETED",
  "ERROR",
  "TOOL_SELECTION",
  "ROUTING",
  "RETRY",
  "ESCALATION",
  "MEMORY_RETRIEVAL",
  "PLANNING",
  "CUSTOM",
] as const;

/** Blocks concurrent changes of the user's traces from their last step until the transaction ends. */
export async function lockTotals(trx: Database, userId: string): Promise<void> {
  await sql`insert into trace_totals (user_id) values (${userId}) on conflict do nothing`.execute(trx);
  await sql`select user_id from trace_totals where user_id = ${userId} for update`.execute(trx);
}

/** Records which traces were deleted on the day they were created: they still count towards that day's limit. */
export async function countDeletions(trx: Database, userId: string, createdAt: string[]): Promise<void> {
  const today = sql`(now() at time zone 'utc')::date`;
  await sql`
    insert into trace_totals as totals (user_id, deleted_on, deleted_count)
    select ${userId}, ${today}, count(*) from unnest(${textList(createdAt)}::timestamptz[]) as deleted (created_at)
    where (created_at at time zone 'utc')::date = ${today} having count(*) > 0
    on conflict (user_id) do update set
      deleted_count = excluded.deleted_count
        + case when totals.deleted_on = excluded.deleted_on then totals.deleted_count else 0 end,
      deleted_on = excluded.deleted_on`.execute(trx);
}

export const totalTraces = (totals: Totals) => STATUSES.reduce((sum, status) => sum + totals[status], 0);
export const totalDecisionPoints = (totals: Totals) =>
  DECISION_POINT_TYPES.reduce((sum, type) => sum + totals[type], 0);
