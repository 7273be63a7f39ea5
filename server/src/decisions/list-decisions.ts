import { DECISION_POINT, type DecisionPointType, type DecisionSort } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { containsPattern } from "../db/contains-pattern.ts";
import type { Database } from "../db/database.ts";
import { readPage } from "../db/read-page.ts";
import { ResultCache } from "../db/result-cache.ts";
import { selectFields } from "../trace-store/record-columns.ts";
import { readTotals, totalDecisionPoints } from "../trace-store/totals.ts";

export interface DecisionListQuery {
  page: number;
  limit: number;
  sort: DecisionSort;
  type?: DecisionPointType | undefined;
  search?: string | undefined;
}

/** Each sort order and its reverse. */
const ORDERS = {
  newest: [sql`timestamp desc, trace_id desc, id desc`, sql`timestamp, trace_id, id`],
  oldest: [sql`timestamp, trace_id, id`, sql`timestamp desc, trace_id desc, id desc`],
  costliest: [sql`cost_usd desc nulls last, trace_id, id`, sql`cost_usd nulls first, trace_id desc, id desc`],
} as const;

const DECISION_FIELDS = selectFields(Object.keys(DECISION_POINT.fields));

/** Lists decision points of all the user's traces, each with its parent trace; JSON fields are JSON text. */
export async function listDecisions(db: Database, userId: string, query: DecisionListQuery) {
  const { type, search, sort } = query;
  const where = sql.join(
    [
      sql`user_id = ${userId}`,
      ...(type === undefined ? [] : [sql`type = ${type}`]),
      ...(search === undefined ? [] : [sql`search_text like ${containsPattern(search.toLowerCase())}`]),
    ],
    sql` and `,
  );
  const totals = await readTotals(db, userId);
  const all = type ? totals[type] : totalDecisionPoints(totals);
  const total =
    search === undefined
      ? all
      : await countCache.get(totals, userId, { type, search }, () => countDecisions(db, where));
  const decisions = await readPage(
    query,
    { total, all },
    async ({ limit, offset, isReverse, isSearchFirst }) => {
      const [order, reverse] = ORDERS[sort];
      // An optimization fence: the planner must find all matches before it sorts them.
      const fence = isSearchFirst ? sql`offset 0` : sql``;
      const { rows } = await sql<{ traceId: string } & Record<string, unknown>>`
      select ${DECISION_FIELDS}, trace_id
      from decision_points
      where user_id = ${userId} and (trace_id, id) in (
        select trace_id, id from (
          select trace_id, id, timestamp, cost_usd from decision_points where ${where} ${fence}
        ) as matches
        order by ${isReverse ? reverse : order} limit ${limit} offset ${offset})
      order by ${order}`.execute(db);
      return rows;
    },
  );
  const traces = await parentTraces(db, userId, [...new Set(decisions.map((decision) => decision.traceId))]);
  return {
    decisions: decisions.map((decision) => ({ ...decision, trace: traces.get(decision.traceId) })),
    total,
  };
}

const countCache = new ResultCache<number>(1_000);

async function countDecisions(db: Database, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from decision_points where ${where}`.execute(db);
  return rows[0]?.total ?? 0;
}

async function parentTraces(db: Database, userId: string, ids: string[]) {
  const { rows } = await sql<{ id: string; name: string; status: string; startedAt: string }>`
    select id, name, status, started_at from traces
    where user_id = ${userId} and id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
