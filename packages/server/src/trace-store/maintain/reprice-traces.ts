import { type ModelCost, type ModelUsage, SENT_PRICE, type SpanType, type Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { recordChanges } from "../../live/record-changes.ts";
import { modelCosts } from "../../prices/model-costs.ts";
import { loadPriceList, type PriceList } from "../../prices/price-list.ts";
import { priceOf } from "../../prices/price-of.ts";
import { NO_RULES, type PriceRules, readPriceRules } from "../../prices/price-rules.ts";
import { totalCost } from "../../prices/total-cost.ts";
import { dayOf, touchDays } from "../counts/decision-days.ts";
import { refreshComputedColumns } from "../counts/refresh-computed-columns.ts";
import { addTotals, noTotals } from "../counts/totals.ts";
import { writeProblems } from "../problems/write-problems.ts";
import { SPAN_MODEL_COLUMNS } from "../rows/model-columns.ts";

const MAX_TRACES = 100;
const MAX_SPANS = 10_000;

export interface Repricing {
  /** Traces with a model call. */
  traces: number;
  changedTraces: number;
  changedSpans: number;
  /** The sums of the traces' costs. */
  costBeforeUsd: number;
  costAfterUsd: number;
}

export interface RepriceOptions {
  /** Only traces that started then or later, in milliseconds since 1970. */
  fromMs: number | undefined;
  /** Computes without changing anything. */
  isDryRun: boolean;
}

/**
 * Computes the costs of a workspace's model calls again, with today's prices and rules. Costs that were sent stay. Runs in short
 * transactions, each of which locks the traces that it changes, so it is exact while traces are stored.
 */
export async function repriceTraces(
  db: Database,
  workspaceId: WorkspaceId,
  { fromMs, isDryRun }: RepriceOptions,
): Promise<Repricing> {
  const list = await loadPriceList();
  const sum: Repricing = { traces: 0, changedTraces: 0, changedSpans: 0, costBeforeUsd: 0, costAfterUsd: 0 };
  for (let lastId = ""; ; ) {
    const ids = await nextTraces(db, workspaceId, lastId, fromMs);
    const last = ids.at(-1);
    if (last === undefined) break;
    lastId = last;
    const chunk = await transaction(db, (trx) => repriceChunk(trx, workspaceId, { ids, list, isDryRun }));
    for (const key of Object.keys(chunk) as (keyof Repricing)[]) sum[key] += chunk[key];
  }
  return sum;
}

/** The ids of the next traces with a model call: few enough for a short transaction, but at least one. */
async function nextTraces(
  db: Database,
  workspaceId: WorkspaceId,
  lastId: string,
  fromMs: number | undefined,
): Promise<string[]> {
  const from = fromMs === undefined ? null : new Date(fromMs);
  const { rows } = await sql<{ id: string; spanCount: number }>`
    select id, span_count from traces
    where workspace_id = ${workspaceId} and id > ${lastId} and models is not null
      and (${from}::timestamptz is null or started_at >= ${from})
    order by id limit ${MAX_TRACES}`.execute(db);
  let spans = 0;
  return rows
    .filter(({ spanCount }, index) => {
      spans += spanCount;
      return index === 0 || spans <= MAX_SPANS;
    })
    .map(({ id }) => id);
}

interface TraceToReprice {
  id: string;
  status: Status;
  startedAt: string;
  decisionPointCount: number;
  totalCost: number | null;
  isCostDerived: boolean | null;
  /** Whether the total was not sent, although it is no computed one: OpenTelemetry sends none. */
  isMerged: boolean;
}

interface SpanToReprice extends ModelUsage {
  traceId: string;
  id: string;
  parentSpanId: string | null;
  type: SpanType;
  startedAt: string;
  costUsd: number | null;
  priceSource: string | null;
}

interface Chunk {
  ids: string[];
  list: PriceList;
  isDryRun: boolean;
}

async function repriceChunk(
  trx: Database,
  workspaceId: WorkspaceId,
  { ids, list, isDryRun }: Chunk,
): Promise<Repricing> {
  const { rows: traces } = await sql<TraceToReprice>`
    select id, status, started_at, decision_point_count, total_cost, is_cost_derived,
      merge_state is not null and merge_state #>> '{posted,totalCost}' is null as is_merged
    from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)}) order by id for update`.execute(
    trx,
  );
  const { rows: spans } = await sql<SpanToReprice>`
    select trace_id, id, parent_span_id, type, started_at, cost_usd, ${sql.raw(SPAN_MODEL_COLUMNS.join(", "))}
    from spans where workspace_id = ${workspaceId} and trace_id = any(${textList(ids)})
    order by trace_id, position`.execute(trx);
  const rules = (await readPriceRules(trx.directory, [workspaceId])).get(workspaceId) ?? NO_RULES;
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const priced = traces.map((trace) => repriceTrace(trace, byTrace.get(trace.id) ?? [], { rules, list }));
  const changed = priced.filter(({ isChanged }) => isChanged);
  if (!isDryRun && changed.length > 0) await write(trx, workspaceId, changed);
  const total = (costs: (number | null)[]) => costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  return {
    traces: traces.length,
    changedTraces: changed.length,
    changedSpans: changed.reduce((count, trace) => count + trace.changedSpans.length, 0),
    costBeforeUsd: total(traces.map((trace) => trace.totalCost)),
    costAfterUsd: total(priced.map((trace) => trace.totalCost)),
  };
}

interface RepricedTrace {
  id: string;
  status: Status;
  /** Undefined if the trace has no decisions. */
  decisionDay: string | undefined;
  totalCost: number | null;
  isCostDerived: boolean;
  models: ModelCost[];
  changedSpans: SpanToReprice[];
  isChanged: boolean;
}

function repriceTrace(
  trace: TraceToReprice,
  stored: SpanToReprice[],
  prices: { rules: PriceRules; list: PriceList },
): RepricedTrace {
  const spans = stored.map((span) => repriceSpan(span, prices));
  const changedSpans = spans.filter((span, index) => {
    const before = stored[index];
    return span.costUsd !== before?.costUsd || span.priceSource !== before.priceSource;
  });
  const isComputed = spans.some(({ priceSource }) => priceSource !== null && priceSource !== SENT_PRICE);
  const isSent = trace.totalCost !== null && !trace.isCostDerived && !trace.isMerged;
  const cost = isComputed || trace.isMerged ? totalCost(spans) : null;
  const models = modelCosts(spans.map((span) => ({ ...span, usage: span })));
  const total = isSent ? trace.totalCost : cost;
  return {
    id: trace.id,
    status: trace.status,
    decisionDay: trace.decisionPointCount > 0 ? dayOf(trace.startedAt) : undefined,
    totalCost: total,
    isCostDerived: !isSent && isComputed,
    models,
    changedSpans,
    isChanged: changedSpans.length > 0 || total !== trace.totalCost,
  };
}

/** Only a span that called a model has a price source, or none although it has no cost. */
function repriceSpan(span: SpanToReprice, prices: { rules: PriceRules; list: PriceList }): SpanToReprice {
  const isSent = span.priceSource === SENT_PRICE || (span.priceSource === null && span.costUsd !== null);
  if (span.model === null || isSent) return span;
  const cost = priceOf(span, Date.parse(span.startedAt), prices);
  return { ...span, costUsd: cost?.costUsd ?? null, priceSource: cost?.source ?? null };
}

/** The manifest of a running trace says the old costs, so it must not be used any more. */
async function write(trx: Database, workspaceId: WorkspaceId, changed: RepricedTrace[]): Promise<void> {
  const spans = changed.flatMap(({ changedSpans }) =>
    changedSpans.map(({ traceId, id, costUsd, priceSource }) => ({ traceId, id, costUsd, priceSource })),
  );
  const traces = changed.map(({ id, totalCost: cost, isCostDerived, models }) => ({
    id,
    cost,
    isCostDerived,
    models,
  }));
  await sql`
    update spans set cost_usd = priced."costUsd", price_source = priced."priceSource"
    from json_to_recordset(${JSON.stringify(spans)}::json)
      as priced ("traceId" text, id text, "costUsd" double precision, "priceSource" text)
    where spans.workspace_id = ${workspaceId} and spans.trace_id = priced."traceId" and spans.id = priced.id`.execute(
    trx,
  );
  await sql`
    update traces set total_cost = priced.cost, is_cost_derived = priced."isCostDerived", model_costs = priced.models,
      manifest_hash = null
    from json_to_recordset(${JSON.stringify(traces)}::json)
      as priced (id text, cost double precision, "isCostDerived" boolean, models jsonb)
    where traces.workspace_id = ${workspaceId} and traces.id = priced.id`.execute(trx);
  const decided = changed.filter(({ decisionDay }) => decisionDay !== undefined);
  const runs = await refreshComputedColumns(
    trx,
    workspaceId,
    decided.map(({ id }) => id),
  );
  await addTotals(trx, [{ workspaceId, change: noTotals() }]);
  await writeProblems(trx, workspaceId, runs, { isQuiet: true });
  await touchDays(trx, [
    { workspaceId, days: new Set(decided.flatMap(({ decisionDay }) => decisionDay ?? [])) },
  ]);
  await recordChanges(trx, [
    { workspaceId, traces: changed.map(({ id, status }) => ({ id, change: "replaced", status })) },
  ]);
}
