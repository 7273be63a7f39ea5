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
  /** The name and message of a failed span or ERROR event in the trace. */
  error?: string | undefined;
  errorMessage?: string | undefined;
  /** The name of the option that a decision in the trace chose, and the decision's type. */
  choice?: string | undefined;
  choiceType?: DecisionPointType | undefined;
}

export interface TracePage {
  page: number;
  limit: number;
  sort: TraceSort;
}

/** A trace in a list; its metadata is JSON text. */
type StoredRow = TraceRow & { metadata: string | null };

/** Each sort order and its reverse. */
const ORDERS = {
  newest: [sql`started_at desc, id desc`, sql`started_at, id`],
  oldest: [sql`started_at, id`, sql`started_at desc, id desc`],
  longest: [sql`total_duration desc nulls last, id`, sql`total_duration nulls first, id desc`],
  shortest: [sql`total_duration, id`, sql`total_duration desc nulls first, id desc`],
  costliest: [sql`total_cost desc nulls last, id`, sql`total_cost nulls first, id desc`],
} as const;

export async function listTraces(db: Database, userId: string, page: TracePage, filter: TraceFilter) {
  const totals = await readTotals(db, userId);
  const total = storedTotal(totals, filter) ?? (await countTraces(db, userId, totals, filter));
  const traces = await readPage(page, { total, all: totalTraces(totals) }, (range) => {
    const [order, reverse] = ORDERS[page.sort];
    return readRows(
      db,
      userId,
      sql`
      select id from (${matchesQuery(userId, filter, range, total)}) as matches
      order by ${range.isReverse ? reverse : order} limit ${range.limit} offset ${range.offset}`,
      order,
    );
  });
  return { traces, total };
}

/**
 * The traces of a time range are next to each other in the list, so an ordered scan may filter out many rows before the
 * first match. Up to this many matches, finding all of them and sorting them is cheaper.
 */
const MAX_SORTED_MATCHES = 20_000;

/**
 * PostgreSQL's planner overestimates how many rows a search matches, and then prefers an ordered scan of the list. The
 * number is known here: if it is small, `offset 0`, an optimization fence, makes the planner find all matches first.
 */
function matchesQuery(userId: string, filter: TraceFilter, { isSearchFirst }: PageRange, total: number) {
  const { status: _, tags, dateFrom, dateTo, startedFrom, startedTo, ...searched } = filter;
  // Status and times are columns of the indexes that an ordered scan reads, so filtering by them is cheap.
  const isSearched = tags.length > 0 || Object.values(searched).some((value) => value !== undefined);
  const hasRangeEnd = dateTo !== undefined || startedTo !== undefined;
  const isFenced = (isSearched && isSearchFirst) || (hasRangeEnd && total <= MAX_SORTED_MATCHES);
  const fence = isFenced ? sql`offset 0` : sql``;
  return sql`
    select id, started_at, total_cost, total_duration from traces where ${conditions(userId, filter)} ${fence}`;
}

const [ID = "id", ...FIELDS] = Object.keys(TRACE.fields);
const ROW_FIELDS = selectFields([ID, "userId", ...FIELDS, "createdAt"]);

/** Reads the traces whose ids a query returns. Only these rows are read completely. */
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

/** The database stores the number of all traces of a user and of those with each status. */
function storedTotal(totals: Totals, { status, tags, ...others }: TraceFilter): number | undefined {
  if (tags.length > 0 || Object.values(others).some((value) => value !== undefined)) return undefined;
  return status ? totals[status] : totalTraces(totals);
}

const countCache = new ResultCache<number>(1_000);

function countTraces(
  db: Database,
  userId: string,
  totals: { version: number },
  filter: TraceFilter,
): Promise<number> {
  return countCache.get(totals, userId, filter, async () => {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from traces where ${conditions(userId, filter)}`.execute(db);
    return rows[0]?.total ?? 0;
  });
}

function conditions(userId: string, filter: TraceFilter): RawBuilder<unknown> {
  const { status, search, sessionId, tags, dateFrom, dateTo, startedFrom, startedTo } = filter;
  const timestamptz = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql.join(
    [
      sql`user_id = ${userId}`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(search === undefined ? [] : [sql`name ilike ${containsPattern(search)}`]),
      ...(sessionId === undefined ? [] : [sql`session_id = ${sessionId}`]),
      ...(tags.length === 0 ? [] : [sql`tags && ${tags}::text[]`]),
      ...(dateFrom === undefined ? [] : [sql`created_at >= ${timestamptz(dateFrom)}`]),
      ...(dateTo === undefined ? [] : [sql`created_at <= ${timestamptz(dateTo)}`]),
      ...(startedFrom === undefined ? [] : [sql`started_at >= ${timestamptz(startedFrom)}`]),
      ...(startedTo === undefined ? [] : [sql`started_at < ${timestamptz(startedTo)}`]),
      ...errorConditions(userId, filter),
      ...choiceConditions(userId, filter),
    ],
    sql` and `,
  );
}

function errorConditions(userId: string, { error, errorMessage }: TraceFilter): RawBuilder<unknown>[] {
  if (error === undefined) return [];
  const message = errorMessage === undefined ? sql`true` : sql`message = ${errorMessage}`;
  return [
    sql`id in (select trace_id from (${errorsQuery(userId)}) as errors where name = ${error} and ${message})`,
  ];
}

function choiceConditions(userId: string, { choice, choiceType }: TraceFilter): RawBuilder<unknown>[] {
  if (choice === undefined) return [];
  const type = choiceType === undefined ? sql`true` : sql`type = ${choiceType}`;
  return [
    sql`id in (select trace_id from decision_points where user_id = ${userId} and choice = ${choice} and ${type})`,
  ];
}
