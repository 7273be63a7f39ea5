import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { WorkerLease } from "./worker-lease.ts";

interface LeasedJobOptions {
  db: Database;
  /** One process at a time does the job of this name. */
  job: string;
  /** How long the pause after each step is, relative to the time of the step, so that few requests meet one. */
  pauseRatio: number;
  stopping: AbortSignal;
}

/**
 * Does a job step by step: calls `onStep` with what each step yields. Ends early if the process stops or loses its lease. Does
 * nothing if another process does the job.
 */
export async function runLeased<T>(
  { db, job, pauseRatio, stopping }: LeasedJobOptions,
  steps: () => AsyncIterable<T>,
  onStep: (result: T) => void,
): Promise<void> {
  const lease = await WorkerLease.take(db, job);
  if (!lease) return;
  try {
    let startedAt = performance.now();
    for await (const result of steps()) {
      onStep(result);
      const tookMs = performance.now() - startedAt;
      await sleep(tookMs * pauseRatio, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted || !(await lease.renew())) return;
      startedAt = performance.now();
    }
  } finally {
    // If this fails, the lease expires.
    await lease.end().catch(() => {});
  }
}
