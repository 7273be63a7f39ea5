import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { toDate } from "../check/read-past.ts";
import { MAX_VALUE } from "../check/read-windows.ts";
import type { RuleCondition } from "../rules/rule-condition.ts";
import type { MinuteRow } from "./minute-sums.ts";

const MAX_RUNS = 1_000_000;
const MAX_DURATIONS = 200_000;

const ofAgent = (agent: string | null) =>
  agent === null ? sql`true` : sql`traces.agent_hash = ${agentHash(agent)}`;

/** The first moment from which on there are not too many runs to count. */
export async function firstCountable(
  db: Database,
  workspaceId: WorkspaceId,
  { agent, kind }: RuleCondition,
  fromMs: number,
): Promise<number> {
  const max = kind === "duration_p95" ? MAX_DURATIONS : MAX_RUNS;
  const { rows } = await sql<{ startedAt: string }>`
    select started_at from traces
    where workspace_id = ${workspaceId} and ${ofAgent(agent)} and started_at >= ${toDate(fromMs)}
    order by started_at desc offset ${max} limit 1`.execute(db);
  return rows[0] ? Date.parse(rows[0].startedAt) + 1 : fromMs;
}

const minuteOf = (fromMs: number) =>
  sql`floor(extract(epoch from traces.started_at - ${toDate(fromMs)}::timestamptz) / 60)::integer`;

/** The runs of each minute of a time range; of a rule on scores, the scores instead of costs. */
export async function readMinutes(
  db: Database,
  workspaceId: WorkspaceId,
  { agent, kind, score }: RuleCondition,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<MinuteRow[]> {
  const isScore = kind === "score_mean";
  const value = isScore
    ? sql`greatest(-${MAX_VALUE}::double precision, least(scores.number, ${MAX_VALUE}))`
    : sql`least(traces.total_cost, ${MAX_VALUE})`;
  const joined = isScore
    ? sql`join scores on scores.workspace_id = ${workspaceId} and scores.trace_id = traces.id and scores.name = ${score}`
    : sql``;
  const { rows } = await sql<MinuteRow>`
    select ${minuteOf(fromMs)} as minute, count(*) filter (where outcome <= 1) as runs,
      count(*) filter (where outcome = 1) as bad, count(${value}) filter (where outcome <> 3) as costs,
      coalesce(sum(${value}) filter (where outcome <> 3), 0) as cost_sum,
      coalesce(sum(${value} * ${value}) filter (where outcome <> 3), 0) as cost_squares
    from traces ${joined}
    where traces.workspace_id = ${workspaceId} and ${ofAgent(agent)} and traces.started_at >= ${toDate(fromMs)}
      and traces.started_at < ${toDate(toMs)}
    group by 1 order by 1`.execute(db);
  return rows;
}

export async function readDurations(
  db: Database,
  workspaceId: WorkspaceId,
  { agent }: RuleCondition,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ minute: number; durationMs: number }[]> {
  const { rows } = await sql<{ minute: number; durationMs: number }>`
    select ${minuteOf(fromMs)} as minute, total_duration as duration_ms from traces
    where workspace_id = ${workspaceId} and ${ofAgent(agent)} and started_at >= ${toDate(fromMs)}
      and started_at < ${toDate(toMs)} and outcome <> 3 and total_duration is not null
    order by started_at limit ${MAX_DURATIONS}`.execute(db);
  return rows;
}
