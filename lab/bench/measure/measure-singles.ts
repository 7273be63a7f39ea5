import type { ParsedTrace } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { percentile } from "@whytrace/testing/percentile.ts";
import type { DurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { type BuiltServer, startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { prepareBareCommits } from "../bare-commits.ts";
import { expectRows } from "../expect-rows.ts";
import { generateBatches } from "../generate/generate-batches.ts";
import { STEP_COUNTS } from "../generate/generate-conversation.ts";
import type { Sender } from "../ingest-tenants.ts";
import { postBatches } from "../post-batches.ts";
import { createStore, type Store } from "../store.ts";
import type { Packing } from "../text-rows.ts";
import { writeBatch } from "../write-batch.ts";
import type { IngestMetrics } from "./measure-batches.ts";
import { measureVariants, type Variant } from "./measure-variants.ts";
import { Meter } from "./meter.ts";

const CONNECTIONS = 64;
/** All variants send the same traces, each of them several times; conversations with all their numbers of steps. */
const CONTENTS = STEP_COUNTS.length;
/** Each connection sends the same number of traces, and each trace is sent equally often. */
const COUNT_UNIT = 320;
const LONE_REQUESTS = { full: 300, conversation: 100 } as const;

interface SingleOptions {
  size: "full" | "conversation";
  traces: number;
  rounds: number;
}

export interface SingleMetrics extends IngestMetrics {
  /** One request at a time, without concurrency. */
  loneP50Ms: number;
  loneP99Ms: number;
}

/**
 * Measures one trace per request over 64 connections, for 64 tenants and for one, and 64 pgbench clients with one commit per
 * trace, with unpacked and with packed rows. The server, and each way without it, has its own database.
 */
export async function measureSingles(
  postgres: DurablePostgres,
  { size, traces: requested, rounds }: SingleOptions,
): Promise<SingleMetrics> {
  const traces = Math.ceil(requested / COUNT_UNIT) * COUNT_UNIT;
  const names = ["64 tenants", "one tenant", "bare", "bare, packed", "lone"];
  const stores: Store[] = [];
  const servers: BuiltServer[] = [];
  const json = { bytes: 0, traces: 0 };

  /** The traces of a round: the same contents for all variants, with other ids. */
  const tracesOf = (name: string, senders: Sender[], round: number, count: number): ParsedTrace[] => {
    const ids = new Random(500_000 + round * names.length + names.indexOf(name));
    const plan = {
      tenants: senders,
      seed: 50 + round,
      idSeed: 5_000,
      traceCount: CONTENTS,
      batchSize: 1,
      size,
    };
    const contents = Array.from(generateBatches(plan)).flatMap((batch) => batch.traces);
    return Array.from({ length: Math.ceil(count / CONTENTS) }, (_, repetition) =>
      contents.map((trace) => ({
        ...trace,
        id: ids.uuid(),
        sessionId: trace.sessionId && `${trace.sessionId}-${repetition}`,
      })),
    )
      .flat()
      .slice(0, count);
  };
  const openStore = async (packing?: Packing) => {
    const store = await createStore(postgres, CONNECTIONS, packing);
    stores.push(store);
    return store;
  };

  function service(name: string, store: Store, server: BuiltServer, tenants: number) {
    const { url: databaseUrl, db, senders } = store;
    const requestsOf = (sent: ParsedTrace[]) =>
      sent.map((trace, index) => ({
        key: senders[index % tenants]?.key ?? "",
        body: writeBatch([trace]),
        count: 1,
      }));
    const variant: Variant = {
      name,
      count: traces,
      pids: [server.pid],
      databaseUrl,
      prepare: async (round) => {
        const sent = tracesOf(name, senders, round, traces);
        const requests = requestsOf(sent);
        json.bytes += requests.reduce((sum, { body }) => sum + body.length, 0);
        json.traces += traces;
        return expectRows(db, sent, { run: () => postBatches([server.url], requests, CONNECTIONS) });
      },
    };
    const sendAlone = () =>
      postBatches([server.url], requestsOf(tracesOf("lone", senders, 0, LONE_REQUESTS[size])), 1);
    return { variant, sendAlone };
  }

  async function bare(name: string, packing: Packing): Promise<Variant> {
    const { url: databaseUrl, db, senders, types } = await openStore(packing);
    return {
      name,
      count: traces,
      pids: [],
      databaseUrl,
      prepare: async (round) => {
        const contents = tracesOf(name, senders, round, CONTENTS);
        const load = { clients: CONNECTIONS, transactions: traces, packing };
        const prepared = await prepareBareCommits(databaseUrl, contents, types, load);
        return expectRows(db, contents, prepared, { times: traces / CONTENTS });
      },
    };
  }

  try {
    const store = await openStore();
    const server = await startBuiltServer(store.url);
    servers.push(server);
    const manyTenants = service("64 tenants", store, server, CONNECTIONS);
    const oneTenant = service("one tenant", store, server, 1);
    const variants = [
      manyTenants.variant,
      await bare("bare", "unpacked"),
      await bare("bare, packed", "packed"),
      ...(size === "full" ? [oneTenant.variant] : []),
    ];
    const meter = await Meter.create(store.url);
    const metrics = await measureVariants(meter, rounds, variants);
    const loneMs = await oneTenant.sendAlone();
    return {
      variants: metrics,
      jsonBytes: json.bytes / json.traces,
      loneP50Ms: percentile(loneMs, 0.5),
      loneP99Ms: percentile(loneMs, 0.99),
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const store of stores) await store.drop();
  }
}
