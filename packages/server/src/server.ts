import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { CredentialWatch } from "./api-keys/credential-watch.ts";
import { createApp } from "./app.ts";
import type { Provider } from "./billing/provider.ts";
import { sayDailyLimit } from "./billing/say-daily-limit.ts";
import { updateFreeLimits } from "./billing/update-free-limits.ts";
import type { Config } from "./config.ts";
import { ConnectionWatch } from "./db/connection-watch.ts";
import { Connections } from "./db/connections.ts";
import type { Database } from "./db/database.ts";
import { readDatabaseState } from "./db/database-state.ts";
import { migrate } from "./db/migrate.ts";
import { Metrics } from "./http/metrics.ts";
import { Live } from "./live/live.ts";
import { MailStatus } from "./mail/mail-status.ts";
import { createTransport } from "./mail/transport.ts";
import { relyingPartyOf } from "./second-factor/passkeys/relying-party.ts";
import { countForeignPasskeys } from "./second-factor/passkeys/stored-passkeys.ts";
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
  const watch = new ConnectionWatch({ databaseUrl: config.databaseUrl });
  const connections = new Connections(config.databaseUrl, config.connections, watch);
  const db = connections.account;
  const metrics = new Metrics();
  const provider = await createProvider(config);
  const transport = await createTransport(config.smtpUrl, config.mailFrom);
  const live = new Live(db);
  const credentials = new CredentialWatch(db);
  const mailStatus = new MailStatus();
  let isDraining = false;
  const { app, intake } = await createApp({
    config,
    connections,
    provider,
    live,
    credentials,
    metrics,
    version,
    isDraining: () => isDraining,
    isMailFailing: () => mailStatus.isFailing,
  });
  const { log } = app;
  watch.logTo(log);

  connections.onError((err) => log.warn({ err }, "idle database connection lost"));
  metrics.gauge("database_connections", "Open database connections", () => connections.openCount);
  metrics.gauge("database_waiting", "Queries that wait for a connection", () => connections.waitingCount);
  metrics.queue("reads", connections.reads);
  metrics.queue("writes", connections.writes);
  metrics.gauge("live_streams", "Open streams of live updates", () => live.streamCount);

  try {
    if (config.migrateOnStart) {
      const applied = await migrate(config.databaseUrl);
      if (applied.length > 0) log.info({ applied }, "migrations applied");
    }
    await updateFreeLimits(db, config.freeSessionsPerDay);
    await warnOfUnsafeSettings(connections.health, log);
    await warnOfSignInSettings(db, config, log);
    sayDailyLimit(config, log);
    // Nothing after it waits: whoever gets a response can rely on `stop` to finish others.
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await Promise.allSettled([app.close(), connections.end()]);
    watch.stop();
    throw error;
  }

  live.start(config.databaseUrl, log);
  const workers = startWorkers({
    connections,
    live,
    credentials,
    log,
    metrics,
    provider,
    transport,
    mailStatus,
    config,
    deriveLarge: (workspaceId, traceId) => intake.deriveTrace(workspaceId, traceId),
    onMaskingFailure: (failure) => intake.maskings.tally.fail(failure),
  });

  return {
    url: app.listeningOrigin,
    async stop(drainMs) {
      isDraining = true;
      log.info({ drainMs }, "draining: the health check returns 503");
      await sleep(drainMs);
      live.endStreams();
      const timeout = setTimeout(() => app.server.closeAllConnections(), IN_FLIGHT_TIMEOUT_MS);
      const workersEnded = Promise.all(workers.map((worker) => worker.stop()));
      await app.close();
      clearTimeout(timeout);
      await live.stop();
      await workersEnded;
      transport?.close();
      await connections.end();
      watch.stop();
      log.info("stopped");
    },
  };
}

async function warnOfUnsafeSettings(pool: pg.Pool, log: FastifyBaseLogger) {
  const { unsafeSettings } = await readDatabaseState(pool).catch(() => ({ unsafeSettings: [] }));
  if (unsafeSettings.length > 0)
    log.warn({ unsafeSettings }, "PostgreSQL settings are off without which a crash loses stored traces");
}

/** Says what people cannot sign in with, because of the server's settings. */
async function warnOfSignInSettings(db: Database, config: Config, log: FastifyBaseLogger) {
  if (config.encryptionKeys.length === 0)
    log.info("ENCRYPTION_KEYS is not set: authenticator apps are not offered");
  const relyingParty = relyingPartyOf(config.publicUrl);
  if (!relyingParty)
    return log.info("passkeys are not offered: PUBLIC_URL must be https and have a host name");
  const passkeys = await countForeignPasskeys(db, relyingParty.id).catch(() => 0);
  if (passkeys > 0)
    log.warn({ passkeys }, "passkeys were made for another host than that of PUBLIC_URL and cannot be used");
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
