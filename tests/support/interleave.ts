import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../../packages/sdk/src/client.ts";
import type { Recording } from "../../packages/sdk/src/recording.ts";
import type { Stats } from "../../packages/sdk/src/types.ts";
import type { FaultyProxy } from "./server/faulty-proxy.ts";

export const MAX_DELAY_MS = 40;

/** Intervals short enough for snapshots of one trace to overlap, and retries that outlast late deliveries. */
const TIMING = {
  batchDelayMs: 1,
  retryDelayMs: 1,
  maxRetryDelayMs: 4,
  firstSnapshotMs: 0,
  snapshotIntervalMs: 1,
  minSnapshotGrowth: 1,
  sweepIntervalMs: 1,
  requestTimeoutMs: 5_000,
  /** A late request must arrive earlier, even on a machine that stands still for a moment. */
  resendDelayMs: 3_500,
};

interface Interleaved {
  /** The final state of every trace. */
  recordings: Recording[];
  stats: Stats[];
}

/**
 * Runs traces one after another on each of several clients, so that their snapshots meet every fault. Returns when
 * every trace is acknowledged and no request is in flight.
 */
export async function interleave(
  proxy: FaultyProxy,
  apiKey: string,
  { traces, clients, random }: { traces: number; clients: number; random: () => number },
): Promise<Interleaved> {
  const recordings: Recording[] = [];
  let left = traces;
  const all = Array.from({ length: clients }, () => {
    const failures = { count: 0 };
    const onError = () => failures.count++;
    return { failures, client: new Client({ url: proxy.url, apiKey, exitHooks: false, onError }, TIMING) };
  });
  const run = async ({ client, failures }: (typeof all)[number]) => {
    const completed = () => client.stats().snapshotsSent + failures.count;
    while (left-- > 0) {
      const recording = client.start("interleaved", {});
      if (!recording) throw new Error("the client records no traces");
      recordings.push(recording);
      const steps = 1 + Math.floor(random() * 3);
      for (let step = 0; step < steps; step++) {
        recording.endSpan(recording.startSpan(`step ${step}`, {}, undefined), "COMPLETED");
        // On a slow machine, wait until a snapshot of the trace has been sent or has failed.
        const before = completed();
        for (let wait = 0; wait < 300 && completed() === before; wait++) await sleep(1);
        await sleep(random() * 10);
      }
      recording.end(random() < 0.5 ? "COMPLETED" : "ERROR");
      // Some traces change after their end, before or after the final state has been sent.
      if (random() < 0.3) {
        await sleep(random() * 10);
        const late = recording.startSpan("late", { keepsTraceOpen: random() < 0.5 }, undefined);
        await sleep(random() * 10);
        recording.endSpan(late, "COMPLETED");
      }
    }
    // After a failed snapshot, the client sends the final trace once more when settleMs has passed.
    for (let round = 0; round < 3; round++) {
      for (let wait = 0; wait < 100 && !(await client.flush(5_000)); wait++) await sleep(10);
      await sleep(TIMING.resendDelayMs + 20);
    }
  };
  await Promise.all(all.map(run));
  await proxy.waitUntilIdle();
  const stats = all.map(({ client }) => client.stats());
  for (const { client } of all) await client.shutdown(0);
  return { recordings, stats };
}
