import { randomInt } from "node:crypto";
import { type DemoTrace, demoWeek } from "@whytrace/demo";
import type { Api } from "./api.ts";
import type { Output } from "./output.ts";

const BATCH_TRACES = 50;
const BATCH_BYTES = 4 * 1024 * 1024;

export type StoreBatch = (traces: DemoTrace[]) => Promise<number>;

/** Trace ids belong to one user: a seed of one's own keeps two users from getting in each other's way. */
export const newSeed = () => randomInt(2 ** 31);

/** Batches that are small enough to be sent, in the order of the traces. */
export function* batchesOf(traces: Iterable<DemoTrace>): Generator<DemoTrace[]> {
  let batch: DemoTrace[] = [];
  let bytes = 0;
  for (const trace of traces) {
    const size = Buffer.byteLength(JSON.stringify(trace));
    if (batch.length >= BATCH_TRACES || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(trace);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** Stores a week of demo traces; returns how many were taken. */
export async function storeDemo(
  store: StoreBatch,
  { traces, seed }: { traces: number; seed: number },
  output: Output,
): Promise<number> {
  let sent = 0;
  let stored = 0;
  output.progress(0, traces, "traces");
  for (const batch of batchesOf(demoWeek({ seed, now: new Date(), traces }))) {
    stored += await store(batch);
    sent += batch.length;
    output.progress(sent, traces, "traces");
  }
  return stored;
}

export const storeByApi =
  (api: Api): StoreBatch =>
  async (traces) => {
    const { count } = (await api.post("/api/traces", { traces })) as { count: number };
    return count;
  };

export async function seedDemo(api: Api, traces: number, output: Output): Promise<number> {
  return storeDemo(storeByApi(api), { traces, seed: newSeed() }, output);
}
