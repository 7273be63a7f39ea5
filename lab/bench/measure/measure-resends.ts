import type { ParsedTrace } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import type { Database } from "../../../packages/server/src/db/database.ts";
import { generateBatches } from "../generate/generate-batches.ts";
import { generateSpan } from "../generate/generate-span.ts";
import { SIZES } from "../generate/sizes.ts";
import { insertSenders } from "../ingest-tenants.ts";
import { postBatches } from "../post-batches.ts";
import { writeBatch } from "../write-batch.ts";
import { measureVariants, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";

const SPANS = 200;
const CONNECTIONS = 4;
/** Each trace is sent again this often, with one more span each time: a single resend is too cheap to measure. */
const RESENDS = 5;

/** Measures a running trace of 200 spans: the first request, and resends with one new span each. */
export async function measureResends(
  databaseUrl: string,
  db: Database,
  { traces, rounds }: { traces: number; rounds: number },
): Promise<VariantMetrics[]> {
  const senders = await insertSenders(db, CONNECTIONS);
  const server = await startBuiltServer(databaseUrl);
  /** Cached per round: a resend must contain the same data as the first request. */
  let cached = { round: -1, running: [] as { key: string; trace: ParsedTrace }[] };
  const runningOf = (round: number) => {
    if (cached.round === round) return cached.running;
    const plan = {
      tenants: senders,
      seed: 90 + round,
      idSeed: 9_000 + round,
      traceCount: traces,
      batchSize: 1,
      size: "full" as const,
    };
    const running = Array.from(generateBatches(plan)).flatMap(({ tenant: { key }, traces: sent }, index) =>
      sent.map((trace) => ({ key, trace: grow(trace, index) })),
    );
    cached = { round, running };
    return running;
  };
  const requestsOf = (round: number, spans: number[]) =>
    spans.flatMap((count) =>
      runningOf(round).map(({ key, trace }) => ({
        key,
        body: writeBatch([{ ...trace, spans: trace.spans.slice(0, count) }]),
        count: 1,
      })),
    );
  const variant = (name: string, spans: number[]) => ({
    name,
    count: traces * spans.length,
    pids: [server.pid],
    prepare: async (round: number) => {
      const requests = requestsOf(round, spans);
      return { run: () => postBatches([server.url], requests, CONNECTIONS) };
    },
  });
  try {
    const meter = await Meter.create(databaseUrl);
    const resent = Array.from({ length: RESENDS }, (_, index) => SPANS + index);
    return await measureVariants(
      meter,
      rounds,
      [variant("first", [SPANS - 1]), variant("again", resent)],
      "fixed",
    );
  } finally {
    await server.stop();
  }
}

/** Returns the trace in status RUNNING with the maximum number of spans. */
function grow(trace: ParsedTrace, seed: number): ParsedTrace {
  const random = new Random(700 + seed);
  const more = Array.from({ length: SPANS + RESENDS }, (_, index) =>
    generateSpan(random, SIZES.full, {
      parentSpanId: trace.spans[0]?.id ?? null,
      startedAt: trace.startedAt + index,
      durationMs: 5,
      isFailed: false,
    }),
  );
  return {
    ...trace,
    status: "RUNNING",
    endedAt: null,
    spans: [...trace.spans, ...more].slice(0, SPANS + RESENDS),
  };
}
