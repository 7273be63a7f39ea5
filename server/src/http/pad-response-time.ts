import { setTimeout as sleep } from "node:timers/promises";

const STEP_MS = 100;

/**
 * Answers on the next full step of time since the call began, so that how long the work took does not tell
 * whether an address is known.
 */
export async function padResponseTime<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    const elapsed = performance.now() - began;
    await sleep(Math.ceil(elapsed / STEP_MS) * STEP_MS - elapsed);
  }
}
