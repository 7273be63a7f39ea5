import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import { definitionNumber } from "../../outcomes/definition.ts";
import { ALL_AGENTS, DEFINITIONS_CACHE_MS, readDefinitions } from "../../outcomes/read-definitions.ts";
import { countScoredTraces } from "../scores/count-scored-traces.ts";
import { refreshOutcomes } from "./refresh-outcomes.ts";

const RUNS_AT_ONCE = 500;
/** Servers store runs by what they have cached for a while. The job ends after that, with a look for such runs. */
const SETTLED_MS = 2 * DEFINITIONS_CACHE_MS + 1_000;

interface OutcomeJob {
  workspaceId: WorkspaceId;
  agentHash: number;
  startedAt: string | null;
  traceId: string | null;
  isSettled: boolean;
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
      left_count = excluded.left_count, requested_at = excluded.requested_at`.execute(trx);
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
      select workspace_id, agent_hash, started_at::text as started_at, trace_id,
        requested_at < now() - make_interval(secs => ${SETTLED_MS / 1_000}) as is_settled
      from outcome_jobs order by requested_at limit 100`.execute(db);
    let isBusy = false;
    for (const job of rows) {
      if (stopping.aborted) return;
      isBusy = (await continueJob({ db, live }, job)) || isBusy;
    }
    if (!isBusy) return;
  }
}

/** Returns whether there is more to do now. */
async function continueJob({ db, live }: { db: Database; live: Live }, job: OutcomeJob): Promise<boolean> {
  const { workspaceId } = job;
  const isLeft = await transaction(await db.of(workspaceId), (trx) => judgeNextRuns(trx, job));
  live.changed(workspaceId);
  return isLeft;
}

async function judgeNextRuns(trx: Database, { workspaceId, agentHash }: OutcomeJob): Promise<boolean> {
  const isJob = sql`workspace_id = ${workspaceId} and agent_hash = ${agentHash}`;
  // Another process may work on it, or a change of the definition may have begun it again.
  const { rows: jobs } = await sql<OutcomeJob>`
    select workspace_id, agent_hash, started_at::text as started_at, trace_id,
      requested_at < now() - make_interval(secs => ${SETTLED_MS / 1_000}) as is_settled
    from outcome_jobs where ${isJob} for update skip locked`.execute(trx);
  const [job] = jobs;
  if (!job) return false;
  const { rows: runs } = await nextRuns(trx, job);
  const last = runs.at(-1);
  if (!last) {
    if (!job.isSettled) return false;
    const isStale = await hasStaleRuns(trx, job);
    if (isStale)
      await sql`
        update outcome_jobs set started_at = null, trace_id = null where ${isJob}`.execute(trx);
    else await sql`delete from outcome_jobs where ${isJob}`.execute(trx);
    return isStale;
  }
  const definitions = await readDefinitions(trx, workspaceId);
  const ids = runs.map(({ id }) => id).sort();
  await sql`
    select id from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})
    order by id for no key update`.execute(trx);
  const change = await refreshOutcomes(trx, workspaceId, ids, definitions);
  await sql`
    update outcome_jobs set started_at = ${last.startedAt}::timestamptz, trace_id = ${last.id},
      left_count = greatest(0, left_count - ${runs.length}) where ${isJob}`.execute(trx);
  await countScoredTraces(trx, [change]);
  return true;
}

function nextRuns(trx: Database, { workspaceId, agentHash, startedAt, traceId }: OutcomeJob) {
  const after =
    startedAt === null || traceId === null
      ? sql`true`
      : sql`(started_at, id) < (${startedAt}::timestamptz, ${traceId})`;
  return sql<{ id: string; startedAt: string }>`
    select id, started_at::text as started_at from traces
    where workspace_id = ${workspaceId} and ${ofAgent(agentHash)} and ${after}
    order by started_at desc, id desc limit ${RUNS_AT_ONCE}`.execute(trx);
}

/** Whether a server stored runs by an older definition while the job ran. */
async function hasStaleRuns(trx: Database, { workspaceId, agentHash }: OutcomeJob): Promise<boolean> {
  const definitions = await readDefinitions(trx, workspaceId);
  const { rows } = await sql<{ name: string; definition: number }>`
    select distinct on (agent_hash, definition) name, definition from traces
    where workspace_id = ${workspaceId} and ${ofAgent(agentHash)}
      and created_at > (select requested_at from outcome_jobs
        where workspace_id = ${workspaceId} and agent_hash = ${agentHash}) - interval '1 minute'`.execute(
    trx,
  );
  return rows.some(({ name, definition }) => definition !== definitionNumber(definitions.of(name)));
}

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
