import { TRACE, type TraceSort } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { SizedRow } from "../db/copy/read-json-chunks.ts";
import type { Database } from "../db/database.ts";
import { ResultCache } from "../db/result-cache.ts";
import { type PageRange, readPage } from "../db/statements/read-page.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { readTotals, type Totals, totalTraces } from "../trace-store/counts/totals.ts";
import { outcomeNameSql } from "../trace-store/outcomes/outcome-name.ts";
import { maxRowBytesSql, selectJsonFields } from "../trace-store/rows/record-columns.ts";
import { type TraceFilter, traceConditions } from "./trace-filter.ts";

interface TracePage {
  page: number;
  limit: number;
  sort: TraceSort;
}

/** Each sort order and its reverse. */
const ORDERS = {
  newest: [sql`started_at desc, id desc`, sql`started_at, id`],
  oldest: [sql`started_at, id`, sql`started_at desc, id desc`],
  longest: [sql`total_duration desc nulls last, id`, sql`total_duration nulls first, id desc`],
  shortest: [sql`total_duration, id`, sql`total_duration desc nulls first, id desc`],
  costliest: [sql`total_cost desc nulls last, id`, sql`total_cost nulls first, id desc`],
} as const;

/** Finds the traces of one page; `listedTracesQuery` reads them. */
export async function listTraces(
  db: Database,
  workspaceId: WorkspaceId,
  page: TracePage,
  filter: TraceFilter,
): Promise<{ rows: SizedRow[]; total: number }> {
  const totals = await readTotals(db, workspaceId);
  const total = await countTraces(db, workspaceId, totals, filter);
  const rows = await readPage(page, { total, all: totalTraces(totals) }, (range) =>
    pageCache.get(totals, workspaceId, { page, filter }, () =>
      findRows(db, workspaceId, { page, filter, range, total }),
    ),
  );
  return { rows, total };
}

/** Only pages that take long to find are worth their memory. */
const pageCache = new ResultCache<SizedRow[]>(200, { minMs: 50 });

/**
 * The traces of a time range are next to each other in the list, so an ordered scan may filter out many rows before the
 * first match. Up to this many matches, finding all of them and sorting them is cheaper.
 */
const MAX_SORTED_MATCHES = 20_000;

/**
 * PostgreSQL's planner overestimates how many rows a search matches, and then prefers an ordered scan of the list. The
 * number is known here: if it is small, `offset 0`, an optimization fence, makes the planner find all matches first.
 */
function matchesQuery(
  workspaceId: WorkspaceId,
  filter: TraceFilter,
  { isSearchFirst }: PageRange,
  total: number,
) {
  const { status: _, tags = [], dateFrom, dateTo, startedFrom, startedTo, ...searched } = filter;
  // Status and times are columns of the indexes that an ordered scan reads, so filtering by them is cheap.
  const isSearched = tags.length > 0 || Object.values(searched).some((value) => value !== undefined);
  const hasRangeEnd = dateTo !== undefined || startedTo !== undefined;
  const isFenced = (isSearched && isSearchFirst) || (hasRangeEnd && total <= MAX_SORTED_MATCHES);
  const fence = isFenced ? sql`offset 0` : sql``;
  return sql`
    select id, started_at, total_cost, total_duration from traces where ${traceConditions(workspaceId, filter)} ${fence}`;
}

interface PageQuery {
  page: TracePage;
  filter: TraceFilter;
  range: PageRange;
  total: number;
}

async function findRows(
  db: Database,
  workspaceId: WorkspaceId,
  { page, filter, range, total }: PageQuery,
): Promise<SizedRow[]> {
  const [order, reverse] = ORDERS[page.sort];
  const { rows } = await sql<SizedRow>`
    select id, ${maxRowBytesSql(TRACE.fields)} as max_bytes from traces
    where workspace_id = ${workspaceId} and id in (
      select id from (${matchesQuery(workspaceId, filter, range, total)}) as matches
      order by ${range.isReverse ? reverse : order} limit ${range.limit} offset ${range.offset})
    order by ${order}`.execute(db);
  return rows;
}

/** Rows have the fields of the specification. */
const { sampleProbability: _, ...LISTED } = TRACE.fields;
const [ID = "id", ...FIELDS] = Object.keys(LISTED);
const ROW_FIELDS = selectJsonFields([ID, "userId", ...FIELDS, "createdAt"], TRACE.fields);

/** What rows of a list can have beside the fields of the specification. */
export const INCLUDED_FIELDS = ["models", "outcome"] as const;
export type IncludedField = (typeof INCLUDED_FIELDS)[number];

/** Selects traces of a list as JSON, in the order given. */
export function listedTracesQuery(
  workspaceId: WorkspaceId,
  rows: SizedRow[],
  included: readonly IncludedField[],
): RawBuilder<unknown> {
  const models = included.includes("models") ? sql`, coalesce(models, '{}') as models` : sql``;
  const outcome = included.includes("outcome")
    ? sql`, ${sql.raw(outcomeNameSql("outcome"))} as outcome, score_count as "scoreCount"`
    : sql``;
  const ids = textList(rows.map(({ id }) => id));
  return sql`
    select row_to_json(listed) from (
      select ${ROW_FIELDS}, json_build_object('decisionPoints', decision_point_count, 'spans', span_count, 'events', event_count) as _count${models}${outcome}
      from traces where workspace_id = ${workspaceId} and id = any(${ids})
      order by array_position(${ids}, id collate "C")) as listed`;
}

/** The database stores the number of all traces of a workspace and of those with each status. */
function storedTotal(totals: Totals, { status, tags = [], ...others }: TraceFilter): number | undefined {
  if (tags.length > 0 || Object.values(others).some((value) => value !== undefined)) return undefined;
  return status ? totals[status] : totalTraces(totals);
}

const countCache = new ResultCache<number>(1_000);

/** The number of traces that a filter lets through. */
export async function countTraces(
  db: Database,
  workspaceId: WorkspaceId,
  totals: Totals & { version: number },
  filter: TraceFilter,
): Promise<number> {
  const stored = storedTotal(totals, filter);
  if (stored !== undefined) return stored;
  return countCache.get(totals, workspaceId, filter, async () => {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from traces where ${traceConditions(workspaceId, filter)}`.execute(db);
    return rows[0]?.total ?? 0;
  });
}
