import type { Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** The traces that share a sessionId, taken together. */
export interface AgentSession {
  sessionId: string;
  traceCount: number;
  totalCost: number | null;
  totalTokens: number | null;
  totalDuration: number | null;
  firstStartedAt: string;
  lastStartedAt: string;
  /** ERROR if any trace failed, else RUNNING if any still runs. */
  status: Status;
}

const AGGREGATE = sql`
  session_id, count(*) as trace_count, sum(total_cost) as total_cost, sum(total_tokens) as total_tokens,
  sum(total_duration) as total_duration, min(started_at) as first_started_at, max(started_at) as last_started_at,
  case when bool_or(status = 'ERROR') then 'ERROR' when bool_or(status = 'RUNNING') then 'RUNNING' else 'COMPLETED' end as status`;

/** The sessions whose newest trace is newest first. */
export async function listAgentSessions(
  db: Database,
  userId: string,
  { page, limit }: { page: number; limit: number },
) {
  const { rows: counted } = await sql<{ total: number }>`
    select count(distinct session_id) as total from traces where user_id = ${userId} and session_id is not null`.execute(
    db,
  );
  const total = counted[0]?.total ?? 0;
  const offset = (page - 1) * limit;
  if (offset >= total) return { sessions: [], total };
  const { rows: sessions } = await sql<AgentSession>`
    select ${AGGREGATE} from traces where user_id = ${userId} and session_id is not null
    group by session_id order by last_started_at desc, session_id desc limit ${limit} offset ${offset}`.execute(
    db,
  );
  return { sessions, total };
}

export async function getAgentSession(
  db: Database,
  userId: string,
  sessionId: string,
): Promise<AgentSession | undefined> {
  const { rows } = await sql<AgentSession>`
    select ${AGGREGATE} from traces where user_id = ${userId} and session_id = ${sessionId} group by session_id`.execute(
    db,
  );
  return rows[0];
}
