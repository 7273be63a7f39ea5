import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import type { DurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { type BuiltServer, startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { expectRows } from "../expect-rows.ts";
import { ingestBatches } from "../ingest-batches.ts";
import { postBatches } from "../post-batches.ts";
import { createStore, type Store } from "../store.ts";
import { writeBatch } from "../write-batch.ts";
import { BATCH, type BatchOptions } from "./measure-batches.ts";
import { measureVariants, type Variant, type VariantMetrics } from "./measure-variants.ts";
import { Meter } from "./meter.ts";

const TENANTS = 8;
const CONNECTIONS = 4;
const LEVELS: readonly MaskingLevel[] = ["off", "secrets", "personal"];

/** Measures batches of the same traces at levels of masking. Each level has its own database and server. */
export async function measureMasking(
  postgres: DurablePostgres,
  { size, traces, rounds }: BatchOptions,
): Promise<VariantMetrics[]> {
  const stores: Store[] = [];
  const servers: BuiltServer[] = [];

  async function service(level: MaskingLevel): Promise<Variant> {
    const store = await createStore(postgres, TENANTS);
    stores.push(store);
    const server = await startBuiltServer(store.url, { MASKING_DEFAULT: level });
    servers.push(server);
    const keys = new Map(store.senders.map(({ workspaceId, key }) => [workspaceId, key]));
    return {
      name: level,
      count: traces,
      pids: [server.pid],
      databaseUrl: store.url,
      prepare: async (round) => {
        const batches = Array.from(
          ingestBatches({
            tenants: store.senders,
            seed: 10 + round,
            idSeed: 9_000 + round * LEVELS.length + LEVELS.indexOf(level),
            traceCount: traces,
            batchSize: BATCH[size],
            size,
          }),
        );
        const requests = batches.map(({ tenant, traces: sent }) => ({
          key: keys.get(tenant.workspaceId) ?? "",
          body: writeBatch(sent),
          count: sent.length,
        }));
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
    for (const level of LEVELS) variants.push(await service(level));
    const [first] = stores;
    if (!first) throw new Error("No database");
    return await measureVariants(await Meter.create(first.url), rounds, variants);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const store of stores) await store.drop();
  }
}
