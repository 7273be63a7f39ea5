import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 8;

/** Runs work that pauses now and then, letting other requests have their turn when it has had its own. */
export async function runInTimeSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  let turnEndsAt = performance.now() + TURN_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + TURN_MS;
  }
}
