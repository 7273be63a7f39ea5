import type { ParsedTrace } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { startBuiltServer } from "@whytrace/testing/built-server.ts";
import type { Database } from "../server/src/db/database.ts";
import { generateSpan } from "./generate-span.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { insertSenders } from "./ingest-tenants.ts";
import { measureLegs, type WayFigures } from "./measure-legs.ts";
import { Meter } from "./meter.ts";
import { postBatches } from "./post-batches.ts";
import { SIZES } from "./sizes.ts";
import { writeBatch } from "./write-batch.ts";

const SPANS = 200;
const CONNECTIONS = 4;
/** Each trace is sent again so often, with one more span each time: one re-send costs too little to be measured. */
const RESENDS = 5;

/** A running trace of 200 spans, sent for the first time and then again and again with one new span. */
export async function measureResends(
  databaseUrl: string,
  db: Database,
  { traces, rounds }: { traces: number; rounds: number },
): Promise<WayFigures[]> {
  const senders = await insertSenders(db, CONNECTIONS);
  const server = await startBuiltServer(databaseUrl);
  const keys = new Map(senders.map(({ userId, key }) => [userId, key]));
  /** Made once a round: what is sent again must be the same to the millisecond. */
  let made = { round: -1, running: [] as { key: string; trace: ParsedTrace }[] };
  const runningOf = (round: number) => {
    if (made.round === round) return made.running;
    const plan = {
      tenants: senders,
      seed: 90 + round,
      idSeed: 9_000 + round,
      traceCount: traces,
      batchSize: 1,
    };
    const running = Array.from(ingestBatches(plan)).flatMap(({ tenant, traces: sent }, index) =>
      sent.map((trace) => ({ key: keys.get(tenant.userId) ?? "", trace: grow(trace, index) })),
    );
    made = { round, running };
    return running;
  };
  const postingsOf = (round: number, spans: number[]) =>
    spans.flatMap((count) =>
      runningOf(round).map(({ key, trace }) => ({
        key,
        body: writeBatch([{ ...trace, spans: trace.spans.slice(0, count) }]),
        count: 1,
      })),
    );
  const way = (name: string, spans: number[]) => ({
    name,
    count: traces * spans.length,
    pids: [server.pid],
    prepare: async (round: number) => {
      const postings = postingsOf(round, spans);
      return { run: () => postBatches([server.url], postings, CONNECTIONS) };
    },
  });
  try {
    const meter = await Meter.create(databaseUrl);
    const resent = Array.from({ length: RESENDS }, (_, index) => SPANS + index);
    return await measureLegs(meter, rounds, [way("first", [SPANS - 1]), way("again", resent)], "in order");
  } finally {
    await server.stop();
  }
}

/** The same trace with as many spans as it will ever have; still running, as all its spans but the last are done. */
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
