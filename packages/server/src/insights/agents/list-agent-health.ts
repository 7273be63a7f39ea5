import { type AgentHealth, type AgentHealthList, maskText } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { withSums } from "../../db/statements/with-sums.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { RELEASE_NAME } from "../../decision-facts/release-name.ts";
import type { DayRange } from "../days/read-days.ts";
import { startedIn } from "../started-in.ts";
import { wilsonIntervalBySession } from "../statistics/hypothesis-tests/wilson-interval.ts";
import type { SessionSums } from "../statistics/session-sums.ts";

const MAX_READ_RUNS = 50_000;
const MAX_AGENTS = 200;

interface HealthRow
  extends SessionSums,
    Pick<AgentHealth, "runs" | "openRuns" | "costUsd" | "durationMs" | "lastAt" | "name" | "release"> {
  total: number;
}

/** How the agents of a workspace do, or one of them: all of their runs, whether or not they decided something. */
export async function listAgentHealth(
  db: Database,
  workspaceId: WorkspaceId,
  range: DayRange,
  agent: string | undefined,
): Promise<Pick<AgentHealthList, "agents" | "isTruncated">> {
  const isAsked = agent === undefined ? sql`true` : sql`agent_hash = ${agentHash(agent)}`;
  // Sums over sessions, as SessionSums describes them.
  const { rows } = await withSums((sum) =>
    sql<HealthRow>`
    with newest as materialized (
      select id, name, agent_hash, coalesce(session_id, id) as session, outcome, started_at, total_cost, total_duration
      from traces where workspace_id = ${workspaceId} and ${startedIn(range)} and agent_hash is not null and ${isAsked}
      order by started_at desc, id desc limit ${sql.lit(MAX_READ_RUNS)}),
    sessions as (
      select agent_hash, count(*)::double precision as n, (count(*) filter (where outcome = 1))::double precision as b
      from newest where outcome <= 1 group by agent_hash, session),
    sums as (
      select agent_hash, count(*) as sessions, sum(n) as decisions, sum(b) as failed, sum(n * n) as decision_squares,
        sum(n * b) as products, sum(b * b) as failed_squares, sum(b * b / n) as failed_shares
      from sessions group by agent_hash),
    agents as (
      select agent_hash, count(*) as runs, count(*) filter (where outcome = 3) as open_runs, ${sum("total_cost")} as cost_usd,
        percentile_cont(0.5) within group (order by total_duration) as duration_ms, max(started_at) as last_at,
        (array_agg(id order by started_at desc, id desc))[1] as last_id, (sum(count(*)) over ())::bigint as total
      from newest group by agent_hash order by count(*) desc, agent_hash limit ${sql.lit(MAX_AGENTS)})
    select agents.runs, agents.open_runs, agents.cost_usd, agents.duration_ms, agents.last_at, agents.total,
      coalesce(sums.sessions, 0) as sessions, coalesce(sums.decisions, 0) as decisions, coalesce(sums.failed, 0) as failed,
      coalesce(sums.decision_squares, 0) as decision_squares, coalesce(sums.products, 0) as products,
      coalesce(sums.failed_squares, 0) as failed_squares, coalesce(sums.failed_shares, 0) as failed_shares,
      traces.name, ${RELEASE_NAME} as release
    from agents left join sums on sums.agent_hash = agents.agent_hash
      join traces on traces.workspace_id = ${workspaceId} and traces.id = agents.last_id
    order by agents.runs desc, traces.name`.execute(db),
  );
  return { agents: rows.map(describe), isTruncated: (rows[0]?.total ?? 0) >= MAX_READ_RUNS };
}

function describe({
  name,
  runs,
  openRuns,
  costUsd,
  durationMs,
  lastAt,
  release,
  total: _,
  ...sums
}: HealthRow): AgentHealth {
  return {
    name: maskText(name),
    runs,
    badRuns: sums.failed,
    openRuns,
    badShare: sums.decisions === 0 ? null : wilsonIntervalBySession(sums),
    costUsd,
    durationMs,
    lastAt,
    release,
  };
}
