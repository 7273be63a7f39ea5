import { startBuiltServer } from "@whytrace/testing/built-server.ts";
import { percentile } from "@whytrace/testing/percentile.ts";
import type { Database } from "../server/src/db/database.ts";
import { prepareBareCommits } from "./bare-commits.ts";
import { readColumnTypes } from "./copy-text.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { insertSenders } from "./ingest-tenants.ts";
import { measureLegs, type Way, type WayFigures } from "./measure-legs.ts";
import { Meter } from "./meter.ts";
import { postBatches } from "./post-batches.ts";
import { expectRows } from "./stored-rows.ts";
import { writeBatch } from "./write-batch.ts";

const CONNECTIONS = 64;
const SCRIPTS = 16;
const LONE_REQUESTS = 300;

export interface SingleFigures {
  ways: WayFigures[];
  /** Of a request that has the service to itself. */
  loneP50Ms: number;
  loneP99Ms: number;
}

/** One trace a request over 64 connections, for 64 tenants and for one, beside 64 pgbench clients committing each. */
export async function measureSingles(
  databaseUrl: string,
  db: Database,
  terms: { traces: number; rounds: number },
): Promise<SingleFigures> {
  const traces = Math.ceil(terms.traces / CONNECTIONS) * CONNECTIONS;
  const senders = await insertSenders(db, CONNECTIONS);
  const types = await readColumnTypes(databaseUrl);
  const server = await startBuiltServer(databaseUrl);
  const names = ["64 tenants", "one tenant", "engine", "lone"];
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
  const postingsOf = (name: string, round: number, traceCount: number) =>
    tracesOf(name, round, traceCount).map(({ tenant, traces: sent }) => ({
      key: keys.get(tenant.userId) ?? "",
      body: writeBatch(sent),
      count: 1,
    }));
  const service = (name: string): Way => ({
    name,
    count: traces,
    pids: [server.pid],
    prepare: async (round) => {
      const postings = postingsOf(name, round, traces);
      return expectRows(db, traces, { run: () => postBatches([server.url], postings, CONNECTIONS) });
    },
  });
  try {
    const meter = await Meter.create(databaseUrl);
    const ways = await measureLegs(meter, terms.rounds, [
      service("64 tenants"),
      {
        name: "engine",
        count: traces,
        pids: [],
        prepare: async (round) => {
          const contents = tracesOf("engine", round, SCRIPTS).flatMap(({ traces: sent }) => sent);
          const amount = { clients: CONNECTIONS, transactions: traces };
          return expectRows(db, traces, await prepareBareCommits(databaseUrl, contents, types, amount));
        },
      },
      service("one tenant"),
    ]);
    const loneMs = await postBatches([server.url], postingsOf("lone", 0, LONE_REQUESTS), 1);
    return { ways, loneP50Ms: percentile(loneMs, 0.5), loneP99Ms: percentile(loneMs, 0.99) };
  } finally {
    await server.stop();
  }
}
