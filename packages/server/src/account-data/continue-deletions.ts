import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { deleteAllAlerts } from "../alerts/delete-all-alerts.ts";
import { deleteAllChannels } from "../channels/list-channels.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { deleteSituationKeys } from "../insights/findings/situation/situation-keys.ts";
import { deleteSetAside } from "../insights/scorecards/set-aside.ts";
import { deleteAllIssues } from "../issues/drop-empty-issues.ts";
import { deleteNotices } from "../notifications/add-notices.ts";
import { deleteAllTraces } from "../trace-store/delete/delete-all-traces.ts";

/*
 * A row of workspace_deletions is a workspace whose traces are still being deleted. A process works on it while it holds its
 * lease: it moves next_attempt_at into the future, and renews it while it makes progress. If the process stops, it gives
 * the lease back; if it dies, the lease expires. Each lease has its own number of attempts, so a process that lost its
 * lease to another one notices.
 */

const LEASE_SECONDS = 60;
const RENEW_MS = 10_000;
const MAX_RETRY_DELAY_SECONDS = 600;
/** The pause after each chunk, relative to the time of the chunk, so that ingest of other workspaces stays fast. */
const PAUSE_RATIO = 3;
/** The next workspace follows after it: a large one takes hours. */
const TIME_SLICE_MS = 30_000;

export interface Lease {
  workspaceId: WorkspaceId;
  attempts: number;
}

export interface DeletionOptions {
  db: Database;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
  timeSliceMs?: number;
}

const leaseEnd = sql`now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second'`;

/** Records that the traces of a workspace have to be deleted, and takes the first lease. */
export async function requestDeletion(trx: Database, workspaceId: WorkspaceId): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    insert into workspace_deletions (workspace_id, attempts, next_attempt_at) values (${workspaceId}, 1, ${leaseEnd})
    on conflict do nothing returning workspace_id, attempts`.execute(trx);
  return rows[0];
}

/** Continues the deletions that are due, in time slices, until none is left. A deletion that fails does not keep others waiting. */
export async function continueDeletions(options: DeletionOptions): Promise<void> {
  while (!options.stopping.aborted) {
    const lease = await takeLease(options.db);
    if (!lease) return;
    await continueDeletion(options, lease);
  }
}

async function takeLease(db: Database): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    update workspace_deletions set attempts = attempts + 1, next_attempt_at = ${leaseEnd}
    where workspace_id in (
      select workspace_id from workspace_deletions where next_attempt_at <= now()
      order by next_attempt_at limit 1 for update skip locked)
    returning workspace_id, attempts`.execute(db);
  return rows[0];
}

/** Deletes the traces of a workspace. Stops between two chunks and leaves the rest to the next lease. Never throws. */
export async function continueDeletion(options: DeletionOptions, lease: Lease): Promise<void> {
  const { db, log } = options;
  try {
    if (await deleteTraces(options, lease))
      await sql`delete from workspace_deletions where workspace_id = ${lease.workspaceId}`.execute(db);
    else await endLease(db, lease, 0);
  } catch (err) {
    log.warn({ err, attempts: lease.attempts }, "deletion of a workspace interrupted; will retry");
    const delaySeconds = Math.min(30 * lease.attempts, MAX_RETRY_DELAY_SECONDS);
    // If this fails too, the lease expires.
    await endLease(db, lease, delaySeconds).catch(() => {});
  }
}

/** Returns false if it stopped early. */
async function deleteTraces(
  { db, stopping, timeSliceMs = TIME_SLICE_MS }: DeletionOptions,
  lease: Lease,
): Promise<boolean> {
  await deleteSetAside(db, lease.workspaceId);
  await deleteSituationKeys(db, lease.workspaceId);
  let startedAt = performance.now();
  let renewedAt = startedAt;
  const sliceEndsAt = startedAt + timeSliceMs;
  for await (const _ of deleteAllTraces(db, lease.workspaceId)) {
    const chunkMs = performance.now() - startedAt;
    await sleep(chunkMs * PAUSE_RATIO, undefined, { signal: stopping }).catch(() => {});
    startedAt = performance.now();
    if (stopping.aborted || startedAt > sliceEndsAt) return false;
    if (startedAt - renewedAt < RENEW_MS) continue;
    if (!(await renewLease(db, lease))) return false;
    renewedAt = startedAt;
  }
  // Last: as long as there are bad runs, they are counted.
  await deleteAllIssues(db, lease.workspaceId);
  await deleteAllAlerts(db, lease.workspaceId);
  await deleteAllChannels(db, lease.workspaceId);
  await deleteNotices(db, lease.workspaceId);
  return true;
}

async function renewLease(db: Database, { workspaceId, attempts }: Lease): Promise<boolean> {
  const { rows } = await sql`
    update workspace_deletions set next_attempt_at = ${leaseEnd}
    where workspace_id = ${workspaceId} and attempts = ${attempts} returning workspace_id`.execute(db);
  return rows.length > 0;
}

async function endLease(db: Database, { workspaceId, attempts }: Lease, delaySeconds: number): Promise<void> {
  await sql`
    update workspace_deletions set next_attempt_at = now() + ${delaySeconds} * interval '1 second'
    where workspace_id = ${workspaceId} and attempts = ${attempts}`.execute(db);
}
