import type { DurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { type BuiltServer, startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { expectRows } from "../expect-rows.ts";
import { generateBatches } from "../generate/generate-batches.ts";
import { batchRequest, postBatches } from "../post-batches.ts";
import { createStore, type Store } from "../store.ts";
import { BATCH, type BatchOptions } from "./measure-batches.ts";
import { measureVariants, type Variant, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";

const TENANTS = 8;
const CONNECTIONS = 4;

/** A server with settings of its own. */
interface SetServer {
  name: string;
  environment: Record<string, string>;
}

/** Measures batches of the same traces with servers of different settings, each with a database of its own. */
export async function measureSettings(
  postgres: DurablePostgres,
  { size, traces, rounds }: BatchOptions,
  settings: readonly SetServer[],
): Promise<VariantMetrics[]> {
  const stores: Store[] = [];
  const servers: BuiltServer[] = [];

  async function service({ name, environment }: SetServer, number: number): Promise<Variant> {
    const store = await createStore(postgres, TENANTS);
    stores.push(store);
    const server = await startBuiltServer(store.url, environment);
    servers.push(server);
    return {
      name,
      count: traces,
      pids: [server.pid],
      databaseUrl: store.url,
      prepare: async (round) => {
        const batches = Array.from(
          generateBatches({
            tenants: store.senders,
            seed: 10 + round,
            idSeed: 9_000 + round * settings.length + number,
            traceCount: traces,
            batchSize: BATCH[size],
            size,
          }),
        );
        const requests = batches.map(batchRequest);
        const run = () => postBatches([server.url], requests, CONNECTIONS);
        return expectRows(
          store.db,
          batches.flatMap((batch) => batch.traces),
          { run },
        );
      },
    };
  }

  try {
    const variants: Variant[] = [];
    for (const [number, one] of settings.entries()) variants.push(await service(one, number));
    const [first] = stores;
    if (!first) throw new Error("No database");
    return await measureVariants(await Meter.create(first.url), rounds, variants);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const store of stores) await store.drop();
  }
}
