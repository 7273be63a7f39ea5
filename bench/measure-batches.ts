import { type BuiltServer, startBuiltServer } from "@whytrace/testing/built-server.ts";
import type { Database } from "../server/src/db/database.ts";
import { prepareBareCopy } from "./bare-copy.ts";
import { readColumnTypes } from "./copy-text.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { insertSenders } from "./ingest-tenants.ts";
import { measureLegs, type Way, type WayFigures } from "./measure-legs.ts";
import { Meter } from "./meter.ts";
import { postBatches } from "./post-batches.ts";
import { prepareRowWriter } from "./row-writer.ts";
import { expectRows } from "./stored-rows.ts";
import { writeBatch } from "./write-batch.ts";

const BATCH = 50;
const TENANTS = 8;
const CONNECTIONS = 4;

export interface BatchTerms {
  traces: number;
  rounds: number;
}

/**
 * Batches of 50 with the machine saturated: the service in one process and in two, the bare engine (text COPY by
 * psql, two writers), and a statement a row, which is what an object mapper does.
 */
export async function measureBatches(
  databaseUrl: string,
  db: Database,
  terms: BatchTerms,
): Promise<WayFigures[]> {
  const { traces, rounds } = terms;
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
  const service = (name: string, through: readonly BuiltServer[]): Way => ({
    name,
    count: traces,
    pids: through.map(({ pid }) => pid),
    prepare: async (round) => {
      const postings = Array.from(batchesOf(name, round, traces), ({ tenant, traces: sent }) => ({
        key: keys.get(tenant.userId) ?? "",
        body: writeBatch(sent),
        count: sent.length,
      }));
      const urls = through.map(({ url }) => url);
      return expectRows(db, traces, { run: () => postBatches(urls, postings, CONNECTIONS) });
    },
  });
  /** Slow, so fewer of them. */
  const rowByRow = Math.max(BATCH, Math.round(traces / 4 / BATCH) * BATCH);
  const ways: Way[] = [
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
      count: rowByRow,
      pids: [],
      prepare: async (round) =>
        expectRows(
          db,
          rowByRow,
          prepareRowWriter(databaseUrl, batchesOf("row by row", round, rowByRow), types),
        ),
    },
  ];
  try {
    const meter = await Meter.create(databaseUrl);
    return await measureLegs(meter, rounds, ways);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
