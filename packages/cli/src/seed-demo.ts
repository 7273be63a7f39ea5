import { randomInt } from "node:crypto";
import { DEMO_STORY, type DemoScore, type DemoTrace, demoMonth, demoScores } from "@whytrace/demo";
import type { Api } from "./api.ts";
import type { Output } from "./print/output.ts";
import { asStarted } from "./started-as.ts";

/** The demo's number of traces, unless the user asks for another. */
export const DEMO_TRACES = 2_000;
const MAX_BATCH_TRACES = 50;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export interface DemoStore {
  /** Returns how many the server accepted. */
  storeTraces(traces: DemoTrace[]): Promise<number>;
  /** Undefined: scores are left out. */
  storeScores?: ((scores: DemoScore[]) => Promise<void>) | undefined;
}

/** A trace id belongs to one workspace, so two of them must not load demo traces with the same seed. */
export const newSeed = () => randomInt(2 ** 31);

/** Splits the traces, in order, into batches that the API accepts. */
function* splitIntoBatches(traces: Iterable<DemoTrace>): Generator<DemoTrace[]> {
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

/** Stores demo traces with their scores, and returns how many traces the server accepted, and the id of the last one. */
export async function storeDemo(
  { storeTraces, storeScores }: DemoStore,
  { traces, seed, story = DEMO_STORY }: { traces: number; seed: number; story?: number | undefined },
  output: Output,
): Promise<{ stored: number; lastId: string | undefined }> {
  let sent = 0;
  let stored = 0;
  let lastId: string | undefined;
  output.progress(0, traces, "traces");
  for (const batch of splitIntoBatches(demoMonth({ seed, story, now: new Date(), traces }))) {
    stored += await storeTraces(batch);
    const scores = batch.flatMap(demoScores);
    if (scores.length > 0) await storeScores?.(scores);
    sent += batch.length;
    lastId = batch.at(-1)?.id;
    output.progress(sent, traces, "traces");
  }
  return { stored, lastId };
}

export const storeOverHttp = (api: Api): DemoStore => ({
  async storeTraces(traces) {
    const { count } = await api.call("POST /api/traces", { body: { traces } });
    return count;
  },
  async storeScores(scores) {
    await api.call("POST /api/scores", { body: { scores } });
  },
});

/**
 * Loads demo traces, unless those of an earlier call are still there: `knownId` is the id that it returned. Returns the
 * id of one of the demo traces.
 */
export async function ensureDemo(
  { reader, sender }: { reader: Api; sender: Api },
  knownId: string | undefined,
  output: Output,
  traces = DEMO_TRACES,
): Promise<string | undefined> {
  const isLoaded = async (id: string) =>
    (await reader.ask("GET /api/traces/:id/outline", { params: { id } })).isOk;
  if (knownId !== undefined && (await isLoaded(knownId))) {
    output.note(
      asStarted("The demo traces are already loaded. `whytrace seed --seed 1` adds another month."),
    );
    return knownId;
  }
  const { stored, lastId } = await storeDemo(storeOverHttp(sender), { traces, seed: newSeed() }, output);
  output.note(`Stored ${stored} demo traces.`);
  return lastId;
}
