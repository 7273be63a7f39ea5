import { randomInt } from "node:crypto";
import { type DemoTrace, demoWeek } from "@whytrace/demo";
import type { Api } from "./api.ts";
import type { Output } from "./output.ts";

const MAX_BATCH_TRACES = 50;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export type StoreBatch = (traces: DemoTrace[]) => Promise<number>;

/** A trace id belongs to one user, so two users must not load demo traces with the same seed. */
export const newSeed = () => randomInt(2 ** 31);

/** Splits the traces, in order, into batches that the API accepts. */
export function* splitIntoBatches(traces: Iterable<DemoTrace>): Generator<DemoTrace[]> {
  let batch: DemoTrace[] = [];
  let bytes = 0;
  for (const trace of traces) {
    const size = Buffer.byteLength(JSON.stringify(trace));
    if (batch.length >= MAX_BATCH_TRACES || (batch.length > 0 && bytes + size > MAX_BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(trace);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** Stores demo traces and returns how many the server accepted. */
export async function storeDemo(
  store: StoreBatch,
  { traces, seed }: { traces: number; seed: number },
  output: Output,
): Promise<number> {
  let sent = 0;
  let stored = 0;
  output.progress(0, traces, "traces");
  for (const batch of splitIntoBatches(demoWeek({ seed, now: new Date(), traces }))) {
    stored += await store(batch);
    sent += batch.length;
    output.progress(sent, traces, "traces");
  }
  return stored;
}

export const storeOverHttp =
  (api: Api): StoreBatch =>
  async (traces) => {
    const { count } = (await api.post("/api/traces", { traces })) as { count: number };
    return count;
  };

export async function seedDemo(api: Api, traces: number, output: Output): Promise<number> {
  return storeDemo(storeOverHttp(api), { traces, seed: newSeed() }, output);
}
