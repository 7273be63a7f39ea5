import { type BuiltServer, startBuiltServer } from "@whytrace/testing/built-server.ts";
import type { Database } from "../server/src/db/database.ts";
import { prepareBareCopy } from "./bare-copy.ts";
import { readColumnTypes } from "./copy-text.ts";
import { expectRows } from "./expect-rows.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { insertSenders } from "./ingest-tenants.ts";
import { measureVariants, type Variant, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";
import { postBatches } from "./post-batches.ts";
import { prepareRowWriter } from "./row-writer.ts";
import { writeBatch } from "./write-batch.ts";

const BATCH = 50;
const TENANTS = 8;
const CONNECTIONS = 4;

export interface BatchOptions {
  traces: number;
  rounds: number;
}

/**
 * Measures batches of 50 on a saturated machine: the server in one process and in two, PostgreSQL alone (text COPY by two
 * psql processes), and one statement per row like an object-relational mapper.
 */
export async function measureBatches(
  databaseUrl: string,
  db: Database,
  { traces, rounds }: BatchOptions,
): Promise<VariantMetrics[]> {
  const senders = await insertSenders(db, TENANTS);
  const types = await readColumnTypes(databaseUrl);
  const servers = [await startBuiltServer(databaseUrl), await startBuiltServer(databaseUrl)] as const;
  const names = ["service", "bare", "two processes", "row by row"];
  const batchesOf = (name: string, round: number, traceCount: number) =>
    ingestBatches({
      tenants: senders,
      seed: 10 + round,
      idSeed: 1_000 + round * names.length + names.indexOf(name),
      traceCount,
      batchSize: BATCH,
    });
  const keys = new Map(senders.map(({ userId, key }) => [userId, key]));
  const service = (name: string, servedBy: readonly BuiltServer[]): Variant => ({
    name,
    count: traces,
    pids: servedBy.map(({ pid }) => pid),
    prepare: async (round) => {
      const requests = Array.from(batchesOf(name, round, traces), ({ tenant, traces: sent }) => ({
        key: keys.get(tenant.userId) ?? "",
        body: writeBatch(sent),
        count: sent.length,
      }));
      const urls = servedBy.map(({ url }) => url);
      return expectRows(db, traces, { run: () => postBatches(urls, requests, CONNECTIONS) });
    },
  });
  /** Fewer traces, because this variant is slow. */
  const rowByRowTraces = Math.max(BATCH, Math.round(traces / 4 / BATCH) * BATCH);
  const variants: Variant[] = [
    service("service", [servers[0]]),
    {
      name: "bare",
      count: traces,
      pids: [],
      prepare: async (round) =>
        expectRows(db, traces, await prepareBareCopy(databaseUrl, batchesOf("bare", round, traces), types)),
    },
    service("two processes", servers),
    {
      name: "row by row",
      count: rowByRowTraces,
      pids: [],
      prepare: async (round) =>
        expectRows(
          db,
          rowByRowTraces,
          prepareRowWriter(databaseUrl, batchesOf("row by row", round, rowByRowTraces), types),
        ),
    },
  ];
  try {
    const meter = await Meter.create(databaseUrl);
    return await measureVariants(meter, rounds, variants);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
