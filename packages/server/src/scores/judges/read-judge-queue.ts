import {
  type JudgeQueue,
  type JudgeSample,
  MAX_WAITING_RUNS,
} from "@whytrace/contract/schemas/insights/judges";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { hasSignature } from "../../traces/decision-conditions.ts";

export interface JudgeQueueOptions {
  name: string;
  /** Empty: scores without an author. */
  author: string;
  agent: string | undefined;
  sample: JudgeSample;
  /** Only runs with a decision of this signature. */
  near: number | undefined;
  /** In milliseconds since 1970. */
  since: number | undefined;
  limit: number;
}

/** A random order is the same each time, so that a judge that was stopped goes on with the same sample. */
const ORDERS: Record<JudgeSample, RawBuilder<unknown>> = {
  newest: sql`started_at desc, id desc`,
  random: sql`md5(id), id`,
};

/** The ended runs that an author has not given a score of this name. Reads the newest of them, so that its work is bounded. */
export async function readJudgeQueue(
  db: Database,
  workspaceId: WorkspaceId,
  { name, author, agent, sample, near, since, limit }: JudgeQueueOptions,
): Promise<JudgeQueue> {
  const conditions = [
    sql`workspace_id = ${workspaceId} and status <> 'RUNNING'`,
    ...(agent === undefined ? [] : [sql`agent_hash = ${agentHash(agent)}`]),
    ...(near === undefined ? [] : [hasSignature(near)]),
    ...(since === undefined ? [] : [sql`started_at >= ${new Date(since).toISOString()}::timestamptz`]),
    sql`not exists (select from scores where scores.workspace_id = ${workspaceId} and scores.trace_id = traces.id
      and scores.name = ${name} and scores.author = ${author})`,
  ];
  const { rows } = await sql<{ id: string; left: number }>`
    select id, count(*) over () as left from (
      select id, started_at from traces where ${sql.join(conditions, sql` and `)}
      order by started_at desc, id desc limit ${MAX_WAITING_RUNS}) as waiting
    order by ${ORDERS[sample]} limit ${limit}`.execute(db);
  return { traces: rows.map(({ id }) => id), left: rows[0]?.left ?? 0 };
}
