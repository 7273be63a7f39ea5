import { startBuiltServer } from "@whytrace/testing/built-server.ts";
import { percentile } from "@whytrace/testing/percentile.ts";
import type { Database } from "../server/src/db/database.ts";
import { prepareBareCommits } from "./bare-commits.ts";
import { readColumnTypes } from "./copy-text.ts";
import { expectRows } from "./expect-rows.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { insertSenders } from "./ingest-tenants.ts";
import { measureVariants, type Variant, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";
import { postBatches } from "./post-batches.ts";
import { writeBatch } from "./write-batch.ts";

const CONNECTIONS = 64;
const SCRIPTS = 16;
const LONE_REQUESTS = 300;

export interface SingleMetrics {
  variants: VariantMetrics[];
  /** One request at a time, without concurrency. */
  loneP50Ms: number;
  loneP99Ms: number;
}

/** Measures one trace per request over 64 connections, for 64 tenants and for one, and 64 pgbench clients with one commit per trace. */
export async function measureSingles(
  databaseUrl: string,
  db: Database,
  options: { traces: number; rounds: number },
): Promise<SingleMetrics> {
  const traces = Math.ceil(options.traces / CONNECTIONS) * CONNECTIONS;
  const senders = await insertSenders(db, CONNECTIONS);
  const types = await readColumnTypes(databaseUrl);
  const server = await startBuiltServer(databaseUrl);
  const names = ["64 tenants", "one tenant", "bare", "lone"];
  const tracesOf = (name: string, round: number, traceCount: number) =>
    Array.from(
      ingestBatches({
        tenants: name === "64 tenants" ? senders : senders.slice(0, 1),
        seed: 50 + round,
        idSeed: 5_000 + round * names.length + names.indexOf(name),
        traceCount,
        batchSize: 1,
      }),
    );
  const keys = new Map(senders.map(({ userId, key }) => [userId, key]));
  const requestsOf = (name: string, round: number, traceCount: number) =>
    tracesOf(name, round, traceCount).map(({ tenant, traces: sent }) => ({
      key: keys.get(tenant.userId) ?? "",
      body: writeBatch(sent),
      count: 1,
    }));
  const service = (name: string): Variant => ({
    name,
    count: traces,
    pids: [server.pid],
    prepare: async (round) => {
      const requests = requestsOf(name, round, traces);
      return expectRows(db, traces, { run: () => postBatches([server.url], requests, CONNECTIONS) });
    },
  });
  try {
    const meter = await Meter.create(databaseUrl);
    const variants = await measureVariants(meter, options.rounds, [
      service("64 tenants"),
      {
        name: "bare",
        count: traces,
        pids: [],
        prepare: async (round) => {
          const contents = tracesOf("bare", round, SCRIPTS).flatMap(({ traces: sent }) => sent);
          const load = { clients: CONNECTIONS, transactions: traces };
          return expectRows(db, traces, await prepareBareCommits(databaseUrl, contents, types, load));
        },
      },
      service("one tenant"),
    ]);
    const loneMs = await postBatches([server.url], requestsOf("lone", 0, LONE_REQUESTS), 1);
    return { variants, loneP50Ms: percentile(loneMs, 0.5), loneP99Ms: percentile(loneMs, 0.99) };
  } finally {
    await server.stop();
  }
}
