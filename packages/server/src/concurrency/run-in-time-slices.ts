import { setImmediate as yieldToEventLoop } from "node:timers/promises";

const SLICE_MS = 2;

/** Runs a generator to its end and yields to the event loop after each time slice, so that other requests can run. */
export async function runInTimeSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  let sliceEndsAt = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < sliceEndsAt) continue;
    await yieldToEventLoop();
    sliceEndsAt = performance.now() + SLICE_MS;
  }
}
