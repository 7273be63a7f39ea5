import { DECISION_POINT, type DecisionSort } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { SizedRow } from "../db/copy/read-json-chunks.ts";
import type { Database } from "../db/database.ts";
import { ResultCache } from "../db/result-cache.ts";
import { type PageRange, readPage } from "../db/statements/read-page.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { readTotals, totalDecisionPoints } from "../trace-store/counts/totals.ts";
import { outcomeNameSql } from "../trace-store/outcomes/outcome-name.ts";
import {
  inferenceSql,
  maxRowBytesSql,
  selectJsonFields,
  toIsoSql,
} from "../trace-store/rows/record-columns.ts";
import { type DecisionFilter, decisionConditions } from "./decision-filter.ts";

interface DecisionPage {
  page: number;
  limit: number;
  sort: DecisionSort;
}

/** Each sort order and its reverse. */
const ORDERS = {
  newest: [sql`timestamp desc, trace_id desc, id desc`, sql`timestamp, trace_id, id`],
  oldest: [sql`timestamp, trace_id, id`, sql`timestamp desc, trace_id desc, id desc`],
  costliest: [sql`cost_usd desc nulls last, trace_id, id`, sql`cost_usd nulls first, trace_id desc, id desc`],
} as const;

export interface ListedDecision extends SizedRow {
  traceId: string;
}

/** Finds the decision points of one page, of all the workspace's traces; `listedDecisionsQuery` reads them. */
export async function listDecisions(
  db: Database,
  workspaceId: WorkspaceId,
  page: DecisionPage,
  filter: DecisionFilter,
): Promise<{ rows: ListedDecision[]; total: number }> {
  const where = decisionConditions(workspaceId, filter);
  const totals = await readTotals(db, workspaceId);
  const { type, ...others } = filter;
  const all = type ? totals[type] : totalDecisionPoints(totals);
  const isCounted = Object.values(others).every((value) => value === undefined);
  const total = isCounted
    ? all
    : await countCache.get(totals, workspaceId, filter, () => countDecisions(db, where));
  const rows = await readPage(page, { total, all }, (range) =>
    pageCache.get(totals, workspaceId, { page, filter }, () =>
      findRows(db, workspaceId, { sort: page.sort, where, range }),
    ),
  );
  return { rows, total };
}

/** Only pages that take long to find are worth their memory. */
const pageCache = new ResultCache<ListedDecision[]>(200, { minMs: 50 });

interface PageQuery {
  sort: DecisionSort;
  where: RawBuilder<unknown>;
  range: PageRange;
}

async function findRows(
  db: Database,
  workspaceId: WorkspaceId,
  { sort, where, range }: PageQuery,
): Promise<ListedDecision[]> {
  const [order, reverse] = ORDERS[sort];
  // An optimization fence: the planner must find all matches before it sorts them.
  const fence = range.isSearchFirst ? sql`offset 0` : sql``;
  const { rows } = await sql<ListedDecision>`
    select trace_id, id, ${maxRowBytesSql(DECISION_POINT.fields)} as max_bytes from decision_points
    where workspace_id = ${workspaceId} and (trace_id, id) in (
      select trace_id, id from (
        select trace_id, id, timestamp, cost_usd from decision_points where ${where} ${fence}
      ) as matches
      order by ${range.isReverse ? reverse : order} limit ${range.limit} offset ${range.offset})
    order by ${order}`.execute(db);
  return rows;
}

const DECISION_FIELDS = selectJsonFields(
  Object.keys(DECISION_POINT.fields),
  DECISION_POINT.fields,
  "decisions",
);

/** What the trace of a decision can have beside the fields of the specification. */
export const INCLUDED = ["outcome"] as const;

/** Selects decision points of a list as JSON, each with its parent trace, in the order given. */
export function listedDecisionsQuery(
  workspaceId: WorkspaceId,
  rows: ListedDecision[],
  included?: (typeof INCLUDED)[number],
): RawBuilder<unknown> {
  const outcome =
    included === "outcome" ? sql`, 'outcome', ${sql.raw(outcomeNameSql("traces.outcome"))}` : sql``;
  const listed = JSON.stringify(rows.map(({ traceId, id }, position) => ({ traceId, id, position })));
  return sql`
    select row_to_json(listed) from (
      select ${DECISION_FIELDS}, ${sql.raw(inferenceSql("decisions"))}, decisions.trace_id as "traceId", json_build_object('id', traces.id,
        'name', traces.name, 'status', traces.status, 'startedAt', ${sql.raw(toIsoSql("traces.started_at"))}${outcome}) as trace
      from json_to_recordset(${listed}::json) as listed ("traceId" text, id text, position integer)
        join decision_points as decisions on decisions.workspace_id = ${workspaceId}
          and decisions.trace_id = listed."traceId" collate "C" and decisions.id = listed.id collate "C"
        join traces on traces.workspace_id = ${workspaceId} and traces.id = decisions.trace_id
      order by listed.position) as listed`;
}

const countCache = new ResultCache<number>(1_000);

async function countDecisions(db: Database, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from decision_points where ${where}`.execute(db);
  return rows[0]?.total ?? 0;
}
