import { percentile } from "@whytrace/testing/percentile.ts";
import { createSession, findWorkspaceId } from "@whytrace/testing/samples/create-session.ts";
import { startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import type { Database } from "../../../packages/server/src/db/database.ts";
import { prepareBareCopy } from "../bare-copy.ts";
import { readColumnTypes } from "../copy-text.ts";
import { fillStore } from "../fill-store.ts";
import { generateBatches } from "../generate/generate-batches.ts";
import { insertSenders } from "../ingest-tenants.ts";
import { KeepAliveClient } from "../keep-alive-client.ts";
import { addPayloadColumns } from "../payload-columns.ts";
import { batchRequest, postBatches } from "../post-batches.ts";
import { databaseBytes } from "../table-sizes.ts";
import { BIG_EMAIL } from "../tenants.ts";
import { measureReads, type ReadMetrics } from "./measure-reads.ts";
import { measureVariants, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";
import { firstPages } from "./read-cases.ts";

const BATCH = 50;
const CONNECTIONS = 4;
const PAGE_REQUESTS = 100;
const SEED_TRACES = 10_000;
const LARGE_TRACES = 1_000_000;

export interface GrowthMetrics {
  stored: number;
  bytes: number;
  service: VariantMetrics;
  bare: VariantMetrics;
  /** The first page and the 1,000th page of every list, each requested 100 times. */
  firstPages: { name: string; p50Ms: number; p99Ms: number }[];
  /** Every read up to its 1,000th page; only for a large store. */
  reads?: ReadMetrics[];
}

const READ_OPTIONS = { requests: 100, warmUp: 20, only: /./, maxPage: 1_000 };

/** Measures ingest and first pages after filling the store to each of the given numbers of traces. */
export async function measureGrowth(
  databaseUrl: string,
  db: Database,
  { stored, rounds, traces }: { stored: number[]; rounds: number; traces: number },
): Promise<GrowthMetrics[]> {
  const senders = await insertSenders(db, 8);
  await addPayloadColumns(databaseUrl);
  const types = await readColumnTypes(databaseUrl);
  const results: GrowthMetrics[] = [];
  for (const [step, count] of stored.entries()) {
    await fillStore(databaseUrl, count, Math.min(stored[0] ?? SEED_TRACES, SEED_TRACES));
    const bytes = await databaseBytes(databaseUrl);
    const server = await startBuiltServer(databaseUrl);
    try {
      const meter = await Meter.create(databaseUrl);
      const batchesOf = (variant: number, round: number) =>
        generateBatches({
          tenants: senders,
          seed: 20 + round,
          idSeed: 20_000 + step * 1_000 + round * 2 + variant,
          traceCount: traces,
          batchSize: BATCH,
          size: "full",
        });
      const [service, bare] = await measureVariants(meter, rounds, [
        {
          name: `service at ${count}`,
          count: traces,
          pids: [server.pid],
          prepare: async (round) => {
            const requests = Array.from(batchesOf(0, round), batchRequest);
            return { run: () => postBatches([server.url], requests, CONNECTIONS) };
          },
        },
        {
          name: `bare at ${count}`,
          count: traces,
          pids: [],
          prepare: (round) => prepareBareCopy(databaseUrl, batchesOf(1, round), "unpacked", types),
        },
      ]);
      if (!service || !bare) throw new Error("No measurement");
      const firstPages = await timePages(server.url, db, count);
      results.push({ stored: count, bytes, service, bare, firstPages });
    } finally {
      await server.stop();
    }
    const latest = results.at(-1);
    if (latest && count >= LARGE_TRACES) latest.reads = await measureReads(databaseUrl, db, READ_OPTIONS);
  }
  return results;
}

async function timePages(url: string, db: Database, stored: number) {
  const token = await createSession(db, await findWorkspaceId(db, BIG_EMAIL));
  const client = new KeepAliveClient(url, { cookie: `whytrace_session=${token}` });
  const results: GrowthMetrics["firstPages"] = [];
  for (const { name, path } of firstPages(stored)) {
    const timesMs: number[] = [];
    for (let request = 0; request < PAGE_REQUESTS + 10; request += 1) {
      const sentAt = performance.now();
      const { status, text } = await client.send(path(request));
      if (status !== 200) throw new Error(`${path(request)} responded with ${status}: ${text}`);
      if (request >= 10) timesMs.push(performance.now() - sentAt);
    }
    results.push({ name, p50Ms: percentile(timesMs, 0.5), p99Ms: percentile(timesMs, 0.99) });
  }
  client.close();
  return results;
}
