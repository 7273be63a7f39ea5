import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import type { DurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { type BuiltServer, startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { prepareBareCopy } from "../bare-copy.ts";
import { expectRows } from "../expect-rows.ts";
import { generateBatches, type IngestBatch } from "../generate/generate-batches.ts";
import { traceToOtlp } from "../generate/trace-to-otlp.ts";
import type { Sender } from "../ingest-tenants.ts";
import { type BatchRequest, batchRequest, postBatches, postOtlpBatches } from "../post-batches.ts";
import { createStore, type Store } from "../store.ts";
import type { Packing } from "../text-rows.ts";
import { measureVariants, type Variant, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";

/** A batch of an SDK has 512 spans; a trace has 12. */
const BATCH = 42;
const PIECES = 10;
const TENANTS = 8;
const CONNECTIONS = 4;
/** Rows of these tables are the same in all variants. OTLP has other decision points and events, for example inferred ones. */
const COMPARED = ["trace_owners", "traces", "spans"] as const;

export interface OtlpMetrics {
  variants: VariantMetrics[];
  spansPerTrace: number;
  /** Size of a trace as it is sent. */
  jsonBytes: number;
  protobufBytes: number;
}

/**
 * Measures the same traces by OTLP in protobuf, whole and in ten pieces each, by POST /api/traces, and by text COPY into
 * PostgreSQL alone. Every request has about 512 spans.
 */
export async function measureOtlp(
  postgres: DurablePostgres,
  { traces, rounds }: { traces: number; rounds: number },
): Promise<OtlpMetrics> {
  const names = ["whole traces", "ten pieces", "POST /api/traces", "bare", "bare, packed"];
  const stores: Store[] = [];
  const servers: BuiltServer[] = [];
  const sizes = { json: 0, protobuf: 0, spans: 0 };

  const batchesOf = (name: string, { senders }: Store, round: number) =>
    Array.from(
      generateBatches({
        tenants: senders,
        seed: 10 + round,
        idSeed: 5_000 + round * names.length + names.indexOf(name),
        traceCount: traces,
        batchSize: BATCH,
        size: "full",
      }),
    );
  const openStore = async (packing?: Packing) => {
    const store = await createStore(postgres, TENANTS, packing);
    stores.push(store);
    return store;
  };
  const tracesOf = (batches: IngestBatch[]) => batches.flatMap((batch) => batch.traces);
  const bytesOf = (requests: BatchRequest[]) =>
    requests.reduce((sum, { body }) => sum + body.length, 0) / traces;

  async function service(
    name: string,
    toRequests: (batches: IngestBatch<Sender>[]) => BatchRequest[],
    post: typeof postBatches,
  ): Promise<Variant> {
    const store = await openStore();
    const server = await startBuiltServer(store.url);
    servers.push(server);
    return {
      name,
      count: traces,
      pids: [server.pid],
      databaseUrl: store.url,
      prepare: async (round) => {
        const batches = batchesOf(name, store, round);
        const requests = toRequests(batches);
        if (post === postBatches) sizes.json = bytesOf(requests);
        else sizes.protobuf = bytesOf(requests);
        const sent = tracesOf(batches);
        sizes.spans = sent.reduce((sum, { spans }) => sum + spans.length, 0) / traces;
        const run = () => post([server.url], requests, CONNECTIONS);
        return expectRows(store.db, sent, { run }, { tables: COMPARED });
      },
    };
  }

  async function bare(name: string, packing: Packing): Promise<Variant> {
    const store = await openStore(packing);
    return {
      name,
      count: traces,
      pids: [],
      databaseUrl: store.url,
      prepare: async (round) => {
        const batches = batchesOf(name, store, round);
        const prepared = await prepareBareCopy(store.url, batches, packing, store.types);
        return expectRows(store.db, tracesOf(batches), prepared);
      },
    };
  }

  try {
    const variants = [
      await service("whole traces", wholeTraces, postOtlpBatches),
      await service("ten pieces", tenPieces, postOtlpBatches),
      await service("POST /api/traces", jsonBatches, postBatches),
      await bare("bare", "unpacked"),
      await bare("bare, packed", "packed"),
    ];
    const [first] = stores;
    if (!first) throw new Error("No database");
    const meter = await Meter.create(first.url);
    return {
      variants: await measureVariants(meter, rounds, variants),
      spansPerTrace: sizes.spans,
      jsonBytes: sizes.json,
      protobufBytes: sizes.protobuf,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const store of stores) await store.drop();
  }
}

const jsonBatches = (batches: IngestBatch<Sender>[]) => batches.map(batchRequest);

const wholeTraces = (batches: IngestBatch<Sender>[]): BatchRequest[] =>
  batches.map(({ tenant: { key }, traces }) => ({
    key,
    body: encodeOtlp(otlpTraces(traces.flatMap(traceToOtlp))),
    count: traces.length,
  }));

/**
 * Each request of a tenant has one piece of ten times as many traces; the root comes with the last piece. A tenant's
 * requests come one after another, because an SDK sends one at a time, so tenants take turns.
 */
function tenPieces(batches: IngestBatch<Sender>[]): BatchRequest[] {
  const requests: { turn: number; request: BatchRequest }[] = [];
  for (const [{ key }, own] of Map.groupBy(batches, ({ tenant }) => tenant)) {
    let turn = 0;
    for (let at = 0; at < own.length; at += PIECES) {
      const runs = own
        .slice(at, at + PIECES)
        .flatMap(({ traces }) => traces)
        .map((trace) => traceToOtlp(trace).toReversed());
      for (let piece = 0; piece < PIECES; piece += 1) {
        const cut = (length: number, part: number) => Math.floor((length * part) / PIECES);
        const spans = runs.flatMap((run) => run.slice(cut(run.length, piece), cut(run.length, piece + 1)));
        const request = { key, body: encodeOtlp(otlpTraces(spans)), count: spans.length };
        requests.push({ turn, request });
        turn += 1;
      }
    }
  }
  return requests.toSorted((a, b) => a.turn - b.turn).map(({ request }) => request);
}
