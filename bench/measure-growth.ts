import { startBuiltServer } from "@whytrace/testing/built-server.ts";
import { createSession, findUserId } from "@whytrace/testing/create-session.ts";
import { percentile } from "@whytrace/testing/percentile.ts";
import type { Database } from "../server/src/db/database.ts";
import { prepareBareCopy } from "./bare-copy.ts";
import { readColumnTypes } from "./copy-text.ts";
import { fillStore } from "./fill-store.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { insertSenders } from "./ingest-tenants.ts";
import { KeepAliveClient } from "./keep-alive-client.ts";
import { measureLegs, type WayFigures } from "./measure-legs.ts";
import { measureReads, type ReadFigure } from "./measure-reads.ts";
import { Meter } from "./meter.ts";
import { postBatches } from "./post-batches.ts";
import { firstPages } from "./read-cases.ts";
import { databaseBytes } from "./table-sizes.ts";
import { BIG_EMAIL } from "./tenants.ts";
import { writeBatch } from "./write-batch.ts";

const BATCH = 50;
const CONNECTIONS = 4;
const PAGE_REQUESTS = 100;
const LARGE_TRACES = 1_000_000;

export interface GrowthFigure {
  stored: number;
  bytes: number;
  service: WayFigures;
  bare: WayFigures;
  /** Of the first pages of every list, each asked for 100 times; and of the 1,000th. */
  firstPages: { name: string; p50Ms: number; p99Ms: number }[];
  /** Every read up to its 1,000th page, where the store is large. */
  reads?: ReadFigure[];
}

const READ_TERMS = { requests: 100, warmUp: 20, only: /./, pagesMost: 1_000 };

/** Ingest and first pages with so many traces of one tenant stored before, one size after another. */
export async function measureGrowth(
  databaseUrl: string,
  db: Database,
  { stored, rounds, traces }: { stored: number[]; rounds: number; traces: number },
): Promise<GrowthFigure[]> {
  const senders = await insertSenders(db, 8);
  const keys = new Map(senders.map(({ userId, key }) => [userId, key]));
  const types = await readColumnTypes(databaseUrl);
  const figures: GrowthFigure[] = [];
  for (const [step, count] of stored.entries()) {
    await fillStore(databaseUrl, count);
    const bytes = await databaseBytes(databaseUrl);
    const server = await startBuiltServer(databaseUrl);
    try {
      const meter = await Meter.create(databaseUrl);
      const batchesOf = (way: number, round: number) =>
        ingestBatches({
          tenants: senders,
          seed: 20 + round,
          idSeed: 20_000 + step * 1_000 + round * 2 + way,
          traceCount: traces,
          batchSize: BATCH,
        });
      const [service, bare] = await measureLegs(meter, rounds, [
        {
          name: `service at ${count}`,
          count: traces,
          pids: [server.pid],
          prepare: async (round) => {
            const postings = Array.from(batchesOf(0, round), ({ tenant, traces: sent }) => ({
              key: keys.get(tenant.userId) ?? "",
              body: writeBatch(sent),
              count: sent.length,
            }));
            return { run: () => postBatches([server.url], postings, CONNECTIONS) };
          },
        },
        {
          name: `bare at ${count}`,
          count: traces,
          pids: [],
          prepare: (round) => prepareBareCopy(databaseUrl, batchesOf(1, round), types),
        },
      ]);
      if (!service || !bare) throw new Error("Nothing was measured");
      const firstPages = await timePages(server.url, db, count);
      figures.push({ stored: count, bytes, service, bare, firstPages });
    } finally {
      await server.stop();
    }
    const [figure] = figures.slice(-1);
    if (figure && count >= LARGE_TRACES) figure.reads = await measureReads(databaseUrl, db, READ_TERMS);
  }
  return figures;
}

async function timePages(url: string, db: Database, stored: number) {
  const token = await createSession(db, await findUserId(db, BIG_EMAIL));
  const client = new KeepAliveClient(url, { cookie: `whytrace_session=${token}` });
  const figures: GrowthFigure["firstPages"] = [];
  for (const { name, path } of firstPages(stored)) {
    const timesMs: number[] = [];
    for (let request = 0; request < PAGE_REQUESTS + 10; request += 1) {
      const sentAt = performance.now();
      const { status, text } = await client.send(path(request));
      if (status !== 200) throw new Error(`${path(request)} answered ${status}: ${text}`);
      if (request >= 10) timesMs.push(performance.now() - sentAt);
    }
    figures.push({ name, p50Ms: percentile(timesMs, 0.5), p99Ms: percentile(timesMs, 0.99) });
  }
  client.close();
  return figures;
}
