import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp } from "./app.ts";
import type { Provider } from "./billing/provider.ts";
import { updateFreeLimits } from "./billing/update-free-limits.ts";
import type { Config } from "./config.ts";
import { createDatabase, createPool } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { Metrics } from "./http/metrics.ts";
import { Live } from "./live/live.ts";
import { createTransport } from "./mail/transport.ts";
import { startWorkers } from "./workers.ts";

export interface RunningServer {
  url: string;
  /** Drains for `drainMs`, finishes requests in flight, and releases all resources. */
  stop(drainMs: number): Promise<void>;
}

const IN_FLIGHT_TIMEOUT_MS = 8_000;

/** Starts database, application and workers; `stop` stops them in reverse order. */
export async function startServer(config: Config): Promise<RunningServer> {
  const version = readVersion();
  const pool = createPool(config.databaseUrl);
  const healthPool = createPool(config.databaseUrl, {
    max: 1,
    connectionTimeoutMillis: 900,
    query_timeout: 900,
  });
  const db = createDatabase(pool);
  const metrics = new Metrics();
  const provider = await createProvider(config);
  const live = new Live(db);
  let isDraining = false;
  const app = await createApp({
    config,
    db,
    pool,
    healthPool,
    provider,
    live,
    metrics,
    version,
    isDraining: () => isDraining,
  });
  const { log } = app;

  for (const each of [pool, healthPool])
    each.on("error", (err) => log.warn({ err }, "idle database connection lost"));
  metrics.gauge("database_connections", "Open database connections", () => pool.totalCount);
  metrics.gauge("database_waiting", "Requests waiting for a database connection", () => pool.waitingCount);

  metrics.gauge("live_streams", "Open streams of live updates", () => live.streamCount);

  try {
    if (config.migrateOnStart) {
      const applied = await migrate(config.databaseUrl);
      if (applied.length > 0) log.info({ applied }, "migrations applied");
    }
    await updateFreeLimits(db, config.freeSessionsPerDay);
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await Promise.allSettled([app.close(), pool.end(), healthPool.end()]);
    throw error;
  }

  live.start(config.databaseUrl, log);
  const transport = await createTransport(config.smtpUrl, config.mailFrom);
  const workers = startWorkers({ db, log, metrics, provider, transport });

  return {
    url: app.listeningOrigin,
    async stop(drainMs) {
      isDraining = true;
      log.info({ drainMs }, "draining: the health check returns 503");
      await sleep(drainMs);
      live.endStreams();
      const timeout = setTimeout(() => app.server.closeAllConnections(), IN_FLIGHT_TIMEOUT_MS);
      await app.close();
      clearTimeout(timeout);
      await live.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      transport?.close();
      await Promise.all([pool.end(), healthPool.end()]);
      log.info("stopped");
    },
  };
}

/** The path is the same from src and from dist. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return version;
}

/** Imports the payment provider's library only if one is configured: it is large. */
async function createProvider({ stripe }: Config): Promise<Provider | undefined> {
  if (!stripe) return undefined;
  const { Provider } = await import("./billing/provider.ts");
  return new Provider(stripe);
}
