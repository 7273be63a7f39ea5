import type { DurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { type BuiltServer, startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { prepareBareCopy } from "../bare-copy.ts";
import { expectRows } from "../expect-rows.ts";
import { generateBatches, type IngestBatch } from "../generate/generate-batches.ts";
import { batchRequest, postBatches } from "../post-batches.ts";
import { prepareRowWriter } from "../row-writer.ts";
import { createStore, type Store } from "../store.ts";
import type { Packing } from "../text-rows.ts";
import { measureVariants, type Variant, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";

/** Fewer conversations per request, because 50 may exceed the limit of a request. */
export const BATCH = { full: 50, conversation: 10 } as const;
const TENANTS = 8;
const CONNECTIONS = 4;

export interface BatchOptions {
  size: keyof typeof BATCH;
  traces: number;
  rounds: number;
}

export interface IngestMetrics {
  variants: VariantMetrics[];
  /** Size of a trace as it is sent. */
  jsonBytes: number;
}

/**
 * Measures batches on a saturated machine: the server in one process and in two, PostgreSQL alone (text COPY by two psql
 * processes) with unpacked and with packed rows, and one statement per row like an object-relational mapper. Each variant
 * has its own database, so that what one stores does not take the free space that another left.
 */
export async function measureBatches(
  postgres: DurablePostgres,
  { size, traces, rounds }: BatchOptions,
): Promise<IngestMetrics> {
  const batchSize = BATCH[size];
  const names = ["service", "bare", "bare, packed", "two processes", "row by row"];
  const stores: Store[] = [];
  const servers: BuiltServer[] = [];
  const json = { bytes: 0, traces: 0 };
  const batchesOf = (name: string, tenants: Store["senders"], round: number, traceCount: number) =>
    Array.from(
      generateBatches({
        tenants,
        seed: 10 + round,
        idSeed: 1_000 + round * names.length + names.indexOf(name),
        traceCount,
        batchSize,
        size,
      }),
    );
  const openStore = async (packing?: Packing) => {
    const store = await createStore(postgres, TENANTS, packing);
    stores.push(store);
    return store;
  };
  const tracesOf = (batches: IngestBatch[]) => batches.flatMap((batch) => batch.traces);

  async function service(name: string, processes: number): Promise<Variant> {
    const { url: databaseUrl, db, senders } = await openStore();
    const own: BuiltServer[] = [];
    for (let started = 0; started < processes; started += 1) own.push(await startBuiltServer(databaseUrl));
    servers.push(...own);
    return {
      name,
      count: traces,
      pids: own.map(({ pid }) => pid),
      databaseUrl,
      prepare: async (round) => {
        const batches = batchesOf(name, senders, round, traces);
        const requests = batches.map(batchRequest);
        json.bytes += requests.reduce((sum, { body }) => sum + body.length, 0);
        json.traces += traces;
        const urls = own.map(({ url }) => url);
        const run = () => postBatches(urls, requests, CONNECTIONS);
        return expectRows(db, tracesOf(batches), { run });
      },
    };
  }

  async function bare(name: string, packing: Packing): Promise<Variant> {
    const { url: databaseUrl, db, senders, types } = await openStore(packing);
    return {
      name,
      count: traces,
      pids: [],
      databaseUrl,
      prepare: async (round) => {
        const batches = batchesOf(name, senders, round, traces);
        const prepared = await prepareBareCopy(databaseUrl, batches, packing, types);
        return expectRows(db, tracesOf(batches), prepared);
      },
    };
  }

  async function rowByRow(name: string): Promise<Variant> {
    const { url: databaseUrl, db, senders, types } = await openStore("unpacked");
    /** Fewer traces, because this variant is slow. */
    const count = Math.max(batchSize, Math.round(traces / 4 / batchSize) * batchSize);
    return {
      name,
      count,
      pids: [],
      databaseUrl,
      prepare: async (round) => {
        const batches = batchesOf(name, senders, round, count);
        return expectRows(db, tracesOf(batches), await prepareRowWriter(databaseUrl, batches, types));
      },
    };
  }

  try {
    const variants = [
      await service("service", 1),
      await bare("bare", "unpacked"),
      await bare("bare, packed", "packed"),
      ...(size === "full" ? [await service("two processes", 2), await rowByRow("row by row")] : []),
    ];
    const [first] = stores;
    if (!first) throw new Error("No database");
    const meter = await Meter.create(first.url);
    return {
      variants: await measureVariants(meter, rounds, variants),
      jsonBytes: json.bytes / json.traces,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const store of stores) await store.drop();
  }
}
