import { type ModelCost, type ModelUsage, SENT_PRICE, type SpanType, type Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { directoryOf } from "../db/sharding.ts";
import { textList } from "../db/text-list.ts";
import { transaction } from "../db/transaction.ts";
import { recordChanges } from "../live/record-changes.ts";
import { modelCosts } from "../prices/model-costs.ts";
import { loadPriceList, type PriceList } from "../prices/price-list.ts";
import { priceOf } from "../prices/price-of.ts";
import { NO_RULES, type PriceRules, readPriceRules } from "../prices/price-rules.ts";
import { totalCost } from "../prices/total-cost.ts";
import { dayOf, touchDays } from "./decision-days.ts";
import { SPAN_MODEL_COLUMNS } from "./model-columns.ts";
import { refreshFacts } from "./refresh-facts.ts";
import { addTotals, noTotals } from "./totals.ts";

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
 * Computes the costs of a user's model calls again, with today's prices and rules. Costs that were sent stay. Runs in short
 * transactions, each of which locks the traces that it changes, so it is exact while traces are stored.
 */
export async function repriceTraces(
  db: Database,
  userId: string,
  { fromMs, isDryRun }: RepriceOptions,
): Promise<Repricing> {
  const list = await loadPriceList();
  const sum: Repricing = { traces: 0, changedTraces: 0, changedSpans: 0, costBeforeUsd: 0, costAfterUsd: 0 };
  for (let lastId = ""; ; ) {
    const ids = await nextTraces(db, userId, lastId, fromMs);
    const last = ids.at(-1);
    if (last === undefined) break;
    lastId = last;
    const chunk = await transaction(db, (trx) => repriceChunk(trx, userId, { ids, list, isDryRun }));
    for (const key of Object.keys(chunk) as (keyof Repricing)[]) sum[key] += chunk[key];
  }
  return sum;
}

/** The ids of the next traces with a model call: few enough for a short transaction, but at least one. */
async function nextTraces(
  db: Database,
  userId: string,
  lastId: string,
  fromMs: number | undefined,
): Promise<string[]> {
  const from = fromMs === undefined ? null : new Date(fromMs);
  const { rows } = await sql<{ id: string; spanCount: number }>`
    select id, span_count from traces
    where user_id = ${userId} and id > ${lastId} and models is not null
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

interface StoredTrace {
  id: string;
  status: Status;
  startedAt: string;
  decisionPointCount: number;
  totalCost: number | null;
  isCostDerived: boolean | null;
  /** Whether the total was not sent, although it is no computed one: OpenTelemetry sends none. */
  isMerged: boolean;
}

interface StoredSpan extends ModelUsage {
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
  userId: string,
  { ids, list, isDryRun }: Chunk,
): Promise<Repricing> {
  const { rows: traces } = await sql<StoredTrace>`
    select id, status, started_at, decision_point_count, total_cost, is_cost_derived,
      merge_state is not null and merge_state #>> '{posted,totalCost}' is null as is_merged
    from traces where user_id = ${userId} and id = any(${textList(ids)}) order by id for update`.execute(trx);
  const { rows: spans } = await sql<StoredSpan>`
    select trace_id, id, parent_span_id, type, started_at, cost_usd, ${sql.raw(SPAN_MODEL_COLUMNS.join(", "))}
    from spans where user_id = ${userId} and trace_id = any(${textList(ids)})
    order by trace_id, position`.execute(trx);
  const rules = (await readPriceRules(directoryOf(trx), [userId])).get(userId) ?? NO_RULES;
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const priced = traces.map((trace) => repriceTrace(trace, byTrace.get(trace.id) ?? [], { rules, list }));
  const changed = priced.filter(({ isChanged }) => isChanged);
  if (!isDryRun && changed.length > 0) await write(trx, userId, changed);
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
  changedSpans: StoredSpan[];
  isChanged: boolean;
}

function repriceTrace(
  trace: StoredTrace,
  stored: StoredSpan[],
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
function repriceSpan(span: StoredSpan, prices: { rules: PriceRules; list: PriceList }): StoredSpan {
  const isSent = span.priceSource === SENT_PRICE || (span.priceSource === null && span.costUsd !== null);
  if (span.model === null || isSent) return span;
  const cost = priceOf(span, Date.parse(span.startedAt), prices);
  return { ...span, costUsd: cost?.costUsd ?? null, priceSource: cost?.source ?? null };
}

/** The manifest of a running trace says the old costs, so it must not be used any more. */
async function write(trx: Database, userId: string, changed: RepricedTrace[]): Promise<void> {
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
    where spans.user_id = ${userId} and spans.trace_id = priced."traceId" and spans.id = priced.id`.execute(
    trx,
  );
  await sql`
    update traces set total_cost = priced.cost, is_cost_derived = priced."isCostDerived", model_costs = priced.models,
      manifest_hash = null
    from json_to_recordset(${JSON.stringify(traces)}::json)
      as priced (id text, cost double precision, "isCostDerived" boolean, models jsonb)
    where traces.user_id = ${userId} and traces.id = priced.id`.execute(trx);
  const decided = changed.filter(({ decisionDay }) => decisionDay !== undefined);
  await refreshFacts(
    trx,
    userId,
    decided.map(({ id }) => id),
  );
  await addTotals(trx, [{ userId, change: noTotals() }]);
  await touchDays(trx, [{ userId, days: new Set(decided.flatMap(({ decisionDay }) => decisionDay ?? [])) }]);
  await recordChanges(trx, [
    { userId, traces: changed.map(({ id, status }) => ({ id, change: "replaced", status })) },
  ]);
}
