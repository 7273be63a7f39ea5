import type { AgentSession } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { readPage } from "../db/statements/read-page.ts";
import { type Sum, withSums } from "../db/statements/with-sums.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type AgentSessionDescription, describeAgentSessions } from "./describe-agent-sessions.ts";

type Totals = Omit<AgentSession, keyof AgentSessionDescription>;

const aggregate = (sum: Sum) => sql`
  session_id, count(*) as trace_count, ${sum("total_cost")} as total_cost, ${sum("total_tokens")} as total_tokens,
  ${sum("total_duration")} as total_duration, min(started_at) as first_started_at, max(started_at) as last_started_at,
  case when bool_or(status = 'ERROR') then 'ERROR' when bool_or(status = 'RUNNING') then 'RUNNING' else 'COMPLETED' end as status,
  case when bool_or(outcome = 1) then 'bad' when bool_or(outcome = 3) then 'open' when bool_or(outcome = 2) then 'unknown' else 'good' end as outcome,
  count(*) filter (where outcome = 1) as bad_traces`;

/** Lists sessions, most recently active first; aggregates only the sessions of the page. */
export async function listAgentSessions(
  db: Database,
  workspaceId: WorkspaceId,
  query: { page: number; limit: number },
) {
  const { rows: counts } = await sql<{ total: number }>`
    select count(*) as total from agent_sessions where workspace_id = ${workspaceId}`.execute(db);
  const total = counts[0]?.total ?? 0;
  const totals = await readPage(query, { total, all: total }, async ({ limit, offset, isReverse }) => {
    const order = isReverse ? sql`last_started_at, session_id` : sql`last_started_at desc, session_id desc`;
    const { rows } = await withSums((sum) =>
      sql<Totals>`
        select ${aggregate(sum)} from traces
        where workspace_id = ${workspaceId} and session_id in (
          select session_id from agent_sessions where workspace_id = ${workspaceId} order by ${order} limit ${limit} offset ${offset})
        group by session_id order by last_started_at desc, session_id desc`.execute(db),
    );
    return rows;
  });
  return { sessions: await addDescriptions(db, workspaceId, totals), total };
}

export async function getAgentSession(
  db: Database,
  workspaceId: WorkspaceId,
  sessionId: string,
): Promise<AgentSession | undefined> {
  const { rows } = await withSums((sum) =>
    sql<Totals>`
      select ${aggregate(sum)} from traces
      where workspace_id = ${workspaceId} and session_id = ${sessionId} group by session_id`.execute(db),
  );
  return (await addDescriptions(db, workspaceId, rows))[0];
}

async function addDescriptions(
  db: Database,
  workspaceId: WorkspaceId,
  sessions: Totals[],
): Promise<AgentSession[]> {
  const ids = sessions.map(({ sessionId }) => sessionId);
  const descriptions = await describeAgentSessions(db, workspaceId, ids);
  // A session whose traces were deleted meanwhile has no description.
  return sessions.map((totals) => ({
    ...totals,
    ...(descriptions.get(totals.sessionId) ?? { agents: [], firstRequest: null }),
  }));
}
