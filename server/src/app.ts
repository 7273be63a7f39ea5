import Fastify, { LogController } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import type pg from "pg";
import { accountDataRoutes } from "./account-data/routes.ts";
import { settingsRoutes } from "./accounts/settings-routes.ts";
import { signInLinkRoutes } from "./accounts/sign-in-link-routes.ts";
import { signInRoutes } from "./accounts/sign-in-routes.ts";
import { signUpRoutes } from "./accounts/sign-up-routes.ts";
import { agentSessionRoutes } from "./agent-sessions/routes.ts";
import { apiKeyRoutes } from "./api-keys/routes.ts";
import { Passwords } from "./auth/passwords.ts";
import { requireSession } from "./auth/require-session.ts";
import { SessionCookie } from "./auth/session-cookie.ts";
import type { Provider } from "./billing/provider.ts";
import { billingRoutes } from "./billing/routes.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import { decisionRoutes } from "./decisions/routes.ts";
import type { App } from "./http/app-instance.ts";
import { guardCrossSite } from "./http/guard-cross-site.ts";
import { handleClientError, handleErrors, handleFrameworkError } from "./http/handle-errors.ts";
import { healthRoutes } from "./http/health.ts";
import type { Metrics } from "./http/metrics.ts";
import { RateLimiter } from "./http/rate-limit.ts";
import { BODY_LIMIT_BYTES, readJson } from "./http/read-json.ts";
import { loggerOptions, logRequests } from "./http/request-log.ts";
import { sendSecurityHeaders } from "./http/security-headers.ts";
import { ingestRoutes } from "./ingest/routes.ts";
import type { Live } from "./live/live.ts";
import { liveRoutes } from "./live/routes.ts";
import { pageRoutes } from "./pages/routes.ts";
import { referenceRoutes } from "./reference/routes.ts";
import { statsRoutes } from "./stats/routes.ts";
import { traceRoutes } from "./traces/routes.ts";

export interface AppOptions {
  config: Config;
  db: Database;
  /** The pool behind `db`, for work that needs the wire protocol. */
  pool: pg.Pool;
  healthPool: pg.Pool;
  /** Undefined if no payment provider is configured. */
  provider: Provider | undefined;
  live: Live;
  metrics: Metrics;
  version: string;
  isDraining: () => boolean;
}

/** The slices in order: each imports only the floors (http, db, concurrency) and earlier slices. A test checks this. */
export const SLICES = [
  "mail",
  "auth",
  "billing",
  "api-keys",
  "accounts",
  "live",
  "trace-store",
  "ingest",
  "traces",
  "agent-sessions",
  "decisions",
  "stats",
  "account-data",
  "pages",
  "reference",
];

/** Registers the HTTP floor, then the routes of each slice. */
export async function createApp({
  config,
  db,
  pool,
  healthPool,
  provider,
  live,
  metrics,
  version,
  isDraining,
}: AppOptions): Promise<App> {
  const app = createInstance(config);
  const cookie = new SessionCookie(config.publicUrl);
  const guard = requireSession(db, cookie);
  const limiter = new RateLimiter(db);
  const passwords = new Passwords();
  metrics.gauge("password_checks_waiting", "Password hashes running or waiting", () => passwords.depth);

  sendSecurityHeaders(app, config.publicUrl);
  logRequests(app);
  handleErrors(app);
  readJson(app);
  await guardCrossSite(app, config.allowedOrigins);
  await cookie.register(app);
  closeConnectionsWhenDraining(app, isDraining);
  // Must come before the other routes, because it documents the routes registered after it.
  await referenceRoutes(app, { guard, cookie, publicUrl: config.publicUrl, version });
  metrics.routes(app, config.metricsToken);
  healthRoutes(app, { pool: healthPool, version, isDraining });

  billingRoutes(app, { db, config, guard, provider });
  apiKeyRoutes(app, { db, guard });
  signUpRoutes(app, { db, config, limiter, passwords, guard });
  signInRoutes(app, { db, config, limiter, passwords, cookie, guard });
  signInLinkRoutes(app, { db, cookie });
  settingsRoutes(app, { db, config, limiter, passwords, guard });
  liveRoutes(app, { live, guard });
  ingestRoutes(app, { db, pool, publicUrl: config.publicUrl, live });
  traceRoutes(app, { db, guard, live });
  agentSessionRoutes(app, { db, guard });
  decisionRoutes(app, { db, guard });
  statsRoutes(app, { db, guard });
  accountDataRoutes(app, { db, config, limiter, passwords, cookie, guard });
  await pageRoutes(app, { guard });
  return app;
}

function createInstance({ logLevel, publicUrl, trustProxy }: Config): App {
  const app = Fastify({
    logger: loggerOptions(logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => crypto.randomUUID(),
    requestIdHeader: false,
    trustProxy: typeof trustProxy === "number" ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    // Closes slow and idle sockets.
    requestTimeout: 60_000,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    // While stopping, requests on open connections are still handled.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 8_192 },
    frameworkErrors: handleFrameworkError(publicUrl),
    clientErrorHandler: handleClientError,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  return app.withTypeProvider();
}

/** Tells clients of a stopping server to reconnect, so that a load balancer sends them to another server. */
function closeConnectionsWhenDraining(app: App, isDraining: () => boolean) {
  app.addHook("onRequest", async (_request, reply) => {
    if (isDraining()) reply.header("connection", "close");
  });
}
