import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../database.ts";

const POLL_MS = 500;

export interface MoveProgress {
  /** Groups of colocated shards. */
  moved: number;
  total: number;
  /** Of the groups that are being copied now. */
  copiedBytes: number;
  bytes: number;
}

export interface NodeAddress {
  host: string;
  port: number;
}

/** Adds a worker. It gets no shards until `rebalance`. */
export async function addNode(db: Database, { host, port }: NodeAddress): Promise<void> {
  await sql`select citus_add_node(${host}, ${port}::int)`.execute(db);
  // A worker that was drained before may hold shards again.
  await sql`select citus_set_node_property(${host}, ${port}::int, 'shouldhaveshards', true)`.execute(db);
}

/** Removes a worker that holds no shards. */
export async function removeNode(db: Database, { host, port }: NodeAddress): Promise<void> {
  await sql`select citus_remove_node(${host}, ${port}::int)`.execute(db);
}

/** Moves all shards away from a worker, while they are read and written. */
export async function* drainNode(db: Database, { host, port }: NodeAddress): AsyncGenerator<MoveProgress> {
  await sql`select citus_set_node_property(${host}, ${port}::int, 'shouldhaveshards', false)`.execute(db);
  yield* moveShards(db, true);
}

/** Moves shards until each worker has about the same size, while they are read and written. */
export const rebalance = (db: Database) => moveShards(db, false);

/** The moves run in the background of the coordinator: they continue if this process ends, and another one can follow them. */
async function* moveShards(db: Database, isDrainOnly: boolean): AsyncGenerator<MoveProgress> {
  const jobId = (await runningJob(db)) ?? (await startJob(db, isDrainOnly));
  if (jobId === null) return;
  for (;;) {
    const { state, message, ...progress } = await readJob(db, jobId);
    yield progress;
    if (state === "finished") break;
    if (["failing", "failed", "cancelling", "cancelled"].includes(state))
      throw new Error(`The shards were not all moved: ${message ?? `the job ${jobId} is ${state}`}`);
    await sleep(POLL_MS);
  }
  await sql`call citus_cleanup_orphaned_resources()`.execute(db);
}

async function runningJob(db: Database): Promise<number | null> {
  const { rows } = await sql<{ jobId: number }>`
    select job_id from pg_dist_background_job where state in ('scheduled', 'running') order by job_id desc limit 1`.execute(
    db,
  );
  return rows[0]?.jobId ?? null;
}

/** Returns null if there is nothing to move. */
async function startJob(db: Database, isDrainOnly: boolean): Promise<number | null> {
  const { rows } = await sql<{ jobId: number | null }>`
    select citus_rebalance_start(drain_only => ${isDrainOnly}) as job_id`.execute(db);
  return rows[0]?.jobId ?? null;
}

interface Job extends MoveProgress {
  state: string;
  /** Why a move failed. */
  message: string | null;
}

async function readJob(db: Database, jobId: number): Promise<Job> {
  const { rows } = await sql<Job>`
    select state::text, moved, total, copied_bytes, bytes, message
    from pg_dist_background_job,
      lateral (
        select count(*) filter (where status = 'done') as moved, count(*) as total,
          max(message) filter (where status = 'error') as message
        from pg_dist_background_task where job_id = ${jobId}) as tasks,
      lateral (
        select coalesce(sum(target_shard_size), 0)::bigint as copied_bytes, coalesce(sum(source_shard_size), 0)::bigint as bytes
        from get_rebalance_progress() where progress = 1) as copies
    where job_id = ${jobId}`.execute(db);
  const [job] = rows;
  if (!job) throw new Error(`The job ${jobId} that moves shards is gone`);
  return job;
}
