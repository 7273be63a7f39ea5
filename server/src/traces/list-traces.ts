import {
  type DecisionPointType,
  type Status,
  TRACE,
  type TraceRow,
  type TraceSort,
} from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { containsPattern } from "../db/contains-pattern.ts";
import type { Database } from "../db/database.ts";
import { type PageRange, readPage } from "../db/read-page.ts";
import { ResultCache } from "../db/result-cache.ts";
import { selectFields } from "../trace-store/record-columns.ts";
import { readTotals, type Totals, totalTraces } from "../trace-store/totals.ts";
import { errorsQuery } from "./errors-query.ts";

export interface TraceFilter {
  status?: Status | undefined;
  search?: string | undefined;
  sessionId?: string | undefined;
  tags: string[];
  dateFrom?: number | undefined;
  dateTo?: number | undefined;
  startedFrom?: number | undefined;
  startedTo?: number | undefined;
  /** The name of a failed span or ERROR event inside, and its message. */
  error?: string | undefined;
  errorMessage?: string | undefined;
  /** The name of what a decision inside chose, and the decision's type. */
  choice?: string | undefined;
  choiceType?: DecisionPointType | undefined;
}

export interface TracePage {
  page: number;
  limit: number;
  sort: TraceSort;
}

/** A trace as lists show it, its metadata still JSON text. */
type StoredRow = TraceRow & { metadata: string | null };

/** The order of each sort, and the same from its other end. */
const ORDERS = {
  newest: [sql`started_at desc, id desc`, sql`started_at, id`],
  oldest: [sql`started_at, id`, sql`started_at desc, id desc`],
  longest: [sql`total_duration desc nulls last, id`, sql`total_duration nulls first, id desc`],
  shortest: [sql`total_duration, id`, sql`total_duration desc nulls first, id desc`],
  costliest: [sql`total_cost desc nulls last, id`, sql`total_cost nulls first, id desc`],
} as const;

export async function listTraces(db: Database, userId: string, page: TracePage, filter: TraceFilter) {
  const totals = await readTotals(db, userId);
  const total = keptTotal(totals, filter) ?? (await countTraces(db, userId, totals, filter));
  const traces = await readPage(page, { total, all: totalTraces(totals) }, (range) => {
    const [order, reverse] = ORDERS[page.sort];
    return readRows(
      db,
      userId,
      sql`
      select id from (${foundTraces(userId, filter, range, total)}) as found
      order by ${range.isReverse ? reverse : order} limit ${range.limit} offset ${range.offset}`,
      order,
    );
  });
  return { traces, total };
}

/** A stretch of time is not spread over the list: a walk may pass all of it by before it meets the first. */
const STRETCH_LOOKED_UP = 20_000;

/** The planner guesses how many a search finds, and walks for far too few; here the number is known, and a fence says so. */
function foundTraces(userId: string, filter: TraceFilter, { isSearchFirst }: PageRange, total: number) {
  const { status: _, tags, dateFrom, dateTo, startedFrom, startedTo, ...searched } = filter;
  // Status and times stand in the indexes that are walked, where passing one by costs next to nothing.
  const isSearched = tags.length > 0 || Object.values(searched).some((one) => one !== undefined);
  const isStretch = dateTo !== undefined || startedTo !== undefined;
  const isFenced = (isSearched && isSearchFirst) || (isStretch && total <= STRETCH_LOOKED_UP);
  const fence = isFenced ? sql`offset 0` : sql``;
  return sql`
    select id, started_at, total_cost, total_duration from traces where ${conditions(userId, filter)} ${fence}`;
}

const [ID = "id", ...FIELDS] = Object.keys(TRACE.fields);
const ROW_FIELDS = selectFields([ID, "userId", ...FIELDS, "createdAt"]);

/** Reads the traces whose ids a query finds, in an order. Only these rows are read completely. */
async function readRows(
  db: Database,
  userId: string,
  ids: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<StoredRow[]> {
  const { rows } = await sql<
    Omit<StoredRow, "_count"> & { decisionPointCount: number; spanCount: number; eventCount: number }
  >`
    select ${ROW_FIELDS}, decision_point_count, span_count, event_count
    from traces where user_id = ${userId} and id in (${ids})
    order by ${order}`.execute(db);
  return rows.map(({ decisionPointCount, spanCount, eventCount, ...row }) => ({
    ...row,
    _count: { decisionPoints: decisionPointCount, spans: spanCount, events: eventCount },
  }));
}

/** How many there are, where that is kept: of all the user's traces, and of each status. */
function keptTotal(totals: Totals, { status, tags, ...others }: TraceFilter): number | undefined {
  if (tags.length > 0 || Object.values(others).some((one) => one !== undefined)) return undefined;
  return status ? totals[status] : totalTraces(totals);
}

const counted = new ResultCache<number>(1_000);

function countTraces(
  db: Database,
  userId: string,
  totals: { version: number },
  filter: TraceFilter,
): Promise<number> {
  return counted.get(totals, userId, filter, async () => {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from traces where ${conditions(userId, filter)}`.execute(db);
    return rows[0]?.total ?? 0;
  });
}

function conditions(userId: string, filter: TraceFilter): RawBuilder<unknown> {
  const { status, search, sessionId, tags, dateFrom, dateTo, startedFrom, startedTo } = filter;
  const instant = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql.join(
    [
      sql`user_id = ${userId}`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(search === undefined ? [] : [sql`name ilike ${containsPattern(search)}`]),
      ...(sessionId === undefined ? [] : [sql`session_id = ${sessionId}`]),
      ...(tags.length === 0 ? [] : [sql`tags && ${tags}::text[]`]),
      ...(dateFrom === undefined ? [] : [sql`created_at >= ${instant(dateFrom)}`]),
      ...(dateTo === undefined ? [] : [sql`created_at <= ${instant(dateTo)}`]),
      ...(startedFrom === undefined ? [] : [sql`started_at >= ${instant(startedFrom)}`]),
      ...(startedTo === undefined ? [] : [sql`started_at < ${instant(startedTo)}`]),
      ...withError(userId, filter),
      ...withChoice(userId, filter),
    ],
    sql` and `,
  );
}

function withError(userId: string, { error, errorMessage }: TraceFilter): RawBuilder<unknown>[] {
  if (error === undefined) return [];
  const message = errorMessage === undefined ? sql`true` : sql`message = ${errorMessage}`;
  return [
    sql`id in (select trace_id from (${errorsQuery(userId)}) as errors where name = ${error} and ${message})`,
  ];
}

function withChoice(userId: string, { choice, choiceType }: TraceFilter): RawBuilder<unknown>[] {
  if (choice === undefined) return [];
  const type = choiceType === undefined ? sql`true` : sql`type = ${choiceType}`;
  return [
    sql`id in (select trace_id from decision_points where user_id = ${userId} and choice = ${choice} and ${type})`,
  ];
}
