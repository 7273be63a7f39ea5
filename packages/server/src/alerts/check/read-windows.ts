import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import type { RuleCondition } from "../rules/rule-condition.ts";
import { quantileRanks } from "../statistics/quantile-ranks.ts";
import { MIN_DURATIONS, NO_FIGURES, type ValueSums, type WindowFigures } from "./evaluation.ts";
import { toDate } from "./read-past.ts";
import type { TimeWindow } from "./rule-window.ts";

/** Larger values could exceed the range of a sum. */
export const MAX_VALUE = 1e12;
export const DURATION_QUANTILE = 0.95;

interface AskedWindow {
  rule: RuleCondition;
  window: TimeWindow;
}

interface WindowRow {
  number: number;
  runs: number;
  bad: number;
  costs: number;
  costSum: number;
  costSquares: number;
  durations: number;
}

/** The figures of the windows of rules, in their order. All rules of a workspace share one read of the index of starts. */
export async function readWindows(
  db: Database,
  workspaceId: WorkspaceId,
  asked: readonly AskedWindow[],
): Promise<WindowFigures[]> {
  if (asked.length === 0) return [];
  const windows = asked.map(({ rule: { agent }, window: { fromMs, toMs } }, number) => ({
    number,
    agent: agent === null ? null : agentHash(agent),
    from: toDate(fromMs),
    to: toDate(toMs),
  }));
  const cost = sql`least(total_cost, ${MAX_VALUE})`;
  const { rows } = await sql<WindowRow>`
    select asked.number, figures.* from json_to_recordset(${JSON.stringify(windows)}::json)
      as asked (number integer, agent bigint, "from" timestamptz, "to" timestamptz)
    cross join lateral (
      select count(*) filter (where outcome <= 1) as runs, count(*) filter (where outcome = 1) as bad,
        count(total_cost) filter (where outcome <> 3) as costs,
        coalesce(sum(${cost}) filter (where outcome <> 3), 0) as cost_sum,
        coalesce(sum(${cost} * ${cost}) filter (where outcome <> 3), 0) as cost_squares,
        count(total_duration) filter (where outcome <> 3) as durations
      from traces
      where workspace_id = ${workspaceId} and (asked.agent is null or agent_hash = asked.agent)
        and started_at >= asked."from" and started_at < asked."to") as figures`.execute(db);
  const found = new Map(rows.map((row) => [row.number, row]));
  return Promise.all(
    asked.map(async ({ rule, window }, number) => {
      const row = found.get(number);
      if (!row) return NO_FIGURES;
      return {
        runs: row.runs,
        bad: row.bad,
        costs: { count: row.costs, sum: row.costSum, squares: row.costSquares },
        scores:
          rule.kind === "score_mean" ? await readScores(db, workspaceId, rule, window) : NO_FIGURES.scores,
        durations:
          rule.kind === "duration_p95"
            ? await readDurations(db, workspaceId, rule, window, row.durations)
            : NO_FIGURES.durations,
      };
    }),
  );
}

const startedIn = (workspaceId: WorkspaceId, { agent }: RuleCondition, { fromMs, toMs }: TimeWindow) =>
  sql`traces.workspace_id = ${workspaceId} and traces.agent_hash = ${agentHash(agent ?? "")}
    and traces.started_at >= ${toDate(fromMs)} and traces.started_at < ${toDate(toMs)} and traces.outcome <> 3`;

async function readScores(
  db: Database,
  workspaceId: WorkspaceId,
  rule: RuleCondition,
  window: TimeWindow,
): Promise<ValueSums> {
  const number = sql`greatest(-${MAX_VALUE}::double precision, least(scores.number, ${MAX_VALUE}))`;
  const { rows } = await sql<ValueSums>`
    select count(*) as count, coalesce(sum(${number}), 0) as sum, coalesce(sum(${number} * ${number}), 0) as squares
    from traces join scores on scores.workspace_id = ${workspaceId} and scores.trace_id = traces.id
    where ${startedIn(workspaceId, rule, window)} and scores.name = ${rule.score} and scores.number is not null`.execute(
    db,
  );
  return rows[0] ?? NO_FIGURES.scores;
}

async function readDurations(
  db: Database,
  workspaceId: WorkspaceId,
  rule: RuleCondition,
  window: TimeWindow,
  count: number,
): Promise<WindowFigures["durations"]> {
  if (count < MIN_DURATIONS) return { ...NO_FIGURES.durations, count };
  const ranks = quantileRanks(count, DURATION_QUANTILE);
  const fractions = [ranks.low, ranks.value, ranks.high].map((rank) => rank / count);
  const { rows } = await sql<{ found: number[] | null }>`
    select percentile_disc(${fractions}::double precision[]) within group (order by total_duration) as found
    from traces where ${startedIn(workspaceId, rule, window)} and total_duration is not null`.execute(db);
  const [low = null, value = null, high = null] = rows[0]?.found ?? [];
  return { count, low, value, high };
}

/** The starts of an agent's last three runs. */
export async function readNewestStarts(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string | null,
  nowMs: number,
): Promise<number[]> {
  const { rows } = await sql<{ startedAt: string }>`
    select started_at from traces
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent ?? "")} and started_at <= ${toDate(nowMs)}
    order by started_at desc limit 3`.execute(db);
  return rows.map(({ startedAt }) => Date.parse(startedAt));
}
