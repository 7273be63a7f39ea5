import { setTimeout as sleep } from "node:timers/promises";
import type { InsightsRange } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { MAX_TRANSACTION_SECONDS, transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import { ALL_AGENTS, DEFINITIONS_CACHE_MS, readDefinitions } from "../../outcomes/read-definitions.ts";
import { outdateFindings } from "../counts/why-findings.ts";
import { countScoredTraces } from "../scores/count-scored-traces.ts";
import { lockScoredTraces } from "../scores/lock-scored-traces.ts";
import { refreshOutcomes } from "./refresh-outcomes.ts";

const RUNS_AT_ONCE = 500;
/** The pause after each transaction, relative to its time, so that few requests meet one. */
const PAUSE_RATIO = 1;
/**
 * Servers store runs by the definitions that they have cached, in transactions that take a while. After these times the job looks for runs
 * that were judged by an older version meanwhile, the last time when no such transaction can be left: the change itself may have taken as long
 * as one, and after it one more may have begun with what was cached.
 */
const STALE_AFTER_S = (2 * DEFINITIONS_CACHE_MS) / 1_000 + 1;
const SETTLED_AFTER_S = STALE_AFTER_S + 2 * MAX_TRANSACTION_SECONDS;

interface OutcomeJob {
  workspaceId: WorkspaceId;
  agentHash: number;
}

/** A job and how far it is. */
interface LockedJob extends OutcomeJob {
  startedAt: string | null;
  traceId: string | null;
  /** 0 once all runs were judged that were there. */
  leftCount: number;
  /** Since the definition changed. */
  ageS: number;
}

const ofAgent = (hash: number): RawBuilder<unknown> =>
  hash === ALL_AGENTS ? sql`true` : sql`agent_hash = ${hash}`;

/** Lets a worker judge the stored runs of an agent again, from the newest one on. */
export async function requestOutcomes(trx: Database, workspaceId: WorkspaceId, hash: number): Promise<void> {
  await sql`
    insert into outcome_jobs (workspace_id, agent_hash, left_count)
    select ${workspaceId}::uuid, ${hash}::bigint, count(*) from traces
    where workspace_id = ${workspaceId} and ${ofAgent(hash)}
    on conflict (workspace_id, agent_hash) do update set started_at = null, trace_id = null,
      left_count = excluded.left_count, requested_at = excluded.requested_at, next_at = excluded.next_at`.execute(
    trx,
  );
}

/** Judges runs again by definitions that changed, newest first, a few hundred in a transaction. */
export async function continueOutcomeJobs({
  db,
  live,
  stopping,
}: {
  db: Database;
  live: Live;
  stopping: AbortSignal;
}): Promise<void> {
  for (;;) {
    const { rows } = await sql<OutcomeJob>`
      select workspace_id, agent_hash from outcome_jobs where next_at <= now() order by next_at limit 100`.execute(
      db,
    );
    if (rows.length === 0) return;
    for (const job of rows) {
      if (stopping.aborted) return;
      const startedAt = performance.now();
      await transaction(await db.of(job.workspaceId), (trx) => continueJob(trx, job));
      live.changed(job.workspaceId);
      const pauseMs = (performance.now() - startedAt) * PAUSE_RATIO;
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

async function continueJob(trx: Database, { workspaceId, agentHash }: OutcomeJob): Promise<void> {
  const isJob = sql`workspace_id = ${workspaceId} and agent_hash = ${agentHash}`;
  // Another process may work on it, or a change of the definition may have begun it again.
  const { rows: jobs } = await sql<LockedJob>`
    select workspace_id, agent_hash, started_at::text as started_at, trace_id, left_count,
      extract(epoch from now() - requested_at)::double precision as age_s
    from outcome_jobs where ${isJob} and next_at <= now() for update skip locked`.execute(trx);
  const [job] = jobs;
  if (!job) return;
  const definitions = await readDefinitions(trx, workspaceId);
  const runs = await nextRuns(trx, job);
  const last = runs.at(-1);
  if (last) {
    await judgeRuns(trx, workspaceId, runs, definitions);
    // Runs that came since the job began were not counted, and older ones are left until none is found.
    await sql`
      update outcome_jobs set started_at = ${last.startedAt}::timestamptz, trace_id = ${last.id},
        left_count = greatest(1, left_count - ${runs.length}) where ${isJob}`.execute(trx);
    return;
  }
  const stale = await staleRuns(trx, job, definitions);
  if (stale.length > 0) await judgeRuns(trx, workspaceId, stale, definitions);
  else if (job.ageS >= SETTLED_AFTER_S) await sql`delete from outcome_jobs where ${isJob}`.execute(trx);
  else {
    const nextS = job.ageS < STALE_AFTER_S ? STALE_AFTER_S : SETTLED_AFTER_S;
    await sql`
      update outcome_jobs set left_count = 0, next_at = now() + make_interval(secs => ${nextS - job.ageS})
      where ${isJob}`.execute(trx);
  }
  if (stale.length === 0 && job.leftCount > 0)
    await outdateFindings(trx, workspaceId, agentHash === ALL_AGENTS ? undefined : agentHash);
}

interface Run {
  id: string;
  startedAt: string;
}

async function judgeRuns(
  trx: Database,
  workspaceId: WorkspaceId,
  runs: readonly Run[],
  definitions: Definitions,
): Promise<void> {
  const locked = await lockScoredTraces(trx, workspaceId, runs.map(({ id }) => id).sort());
  const change = await refreshOutcomes(trx, workspaceId, [...locked.keys()], definitions);
  await countScoredTraces(trx, [change], { isQuiet: true });
}

async function nextRuns(
  trx: Database,
  { workspaceId, agentHash, startedAt, traceId }: LockedJob,
): Promise<Run[]> {
  const after =
    startedAt === null || traceId === null
      ? sql`true`
      : sql`(started_at, id) < (${startedAt}::timestamptz, ${traceId})`;
  const { rows } = await sql<Run>`
    select id, started_at::text as started_at from traces
    where workspace_id = ${workspaceId} and ${ofAgent(agentHash)} and ${after}
    order by started_at desc, id desc limit ${RUNS_AT_ONCE}`.execute(trx);
  return rows;
}

/** Runs that a server stored or replaced by an older version while the job ran. */
async function staleRuns(
  trx: Database,
  { workspaceId, agentHash }: LockedJob,
  definitions: Definitions,
): Promise<Run[]> {
  const { agentHashes, ofAgents, ofOthers } = definitions.numbers;
  const { rows } = await sql<Run>`
    select id, started_at::text as started_at
    from traces left join unnest(${agentHashes}::bigint[], ${ofAgents}::integer[]) as own (hash, number)
      on own.hash = traces.agent_hash
    where traces.workspace_id = ${workspaceId} and ${ofAgent(agentHash)} and definition <> coalesce(own.number, ${ofOthers}::integer)
    limit ${RUNS_AT_ONCE}`.execute(trx);
  return rows;
}

/** How far the runs of a workspace, or of one agent, are judged again by definitions that changed. */
export interface Judging {
  /** The first day (UTC) of which all runs are; null if there is none yet. */
  firstDay: string | null;
  runsLeft: number;
}

/** Undefined if all runs of the agent, or of all agents, are judged by the definitions in force. */
export async function readJudging(
  db: Database,
  workspaceId: WorkspaceId,
  hash?: number,
): Promise<Judging | undefined> {
  const { rows } = await sql<{ firstDay: string | null; runsLeft: number | null }>`
    select case when bool_and(started_at is not null)
        then ((max(started_at) at time zone 'utc')::date + 1)::text end as first_day,
      sum(left_count)::integer as runs_left
    from outcome_jobs where workspace_id = ${workspaceId} and left_count > 0
      and ${hash === undefined ? sql`true` : sql`agent_hash in (${sql.lit(ALL_AGENTS)}, ${hash})`}`.execute(
    db,
  );
  const [row] = rows;
  return row && row.runsLeft !== null ? { firstDay: row.firstDay, runsLeft: row.runsLeft } : undefined;
}

/** What an answer says that counts runs of both definitions. */
export const mixedJudging = ({ runsLeft }: Judging): NonNullable<InsightsRange["judging"]> => ({
  countedFrom: null,
  runsLeft,
  isMixed: true,
});

/** What is being judged again; null if all runs are. */
export async function readProgress(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<{ agentHash: number; countedFrom: string | null; tracesLeft: number } | null> {
  const { rows } = await sql<{ agentHash: number; countedFrom: string | null; tracesLeft: number }>`
    select agent_hash, started_at as counted_from, left_count as traces_left from outcome_jobs
    where workspace_id = ${workspaceId} and left_count > 0 order by requested_at limit 1`.execute(db);
  return rows[0] ?? null;
}
