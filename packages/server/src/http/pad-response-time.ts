import { setTimeout as sleep } from "node:timers/promises";

const STEP_MS = 100;

/** Delays the result to the next multiple of STEP_MS, so that timing does not reveal whether an account exists. */
export async function padResponseTime<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    const elapsedMs = performance.now() - startedAt;
    await sleep(Math.ceil(elapsedMs / STEP_MS) * STEP_MS - elapsedMs);
  }
}
