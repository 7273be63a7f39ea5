import { extname } from "node:path";
import Fastify, { LogController } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { accountDataRoutes } from "./account-data/routes.ts";
import { settingsRoutes } from "./accounts/settings-routes.ts";
import { signInLinkRoutes } from "./accounts/sign-in-link-routes.ts";
import { signInRoutes } from "./accounts/sign-in-routes.ts";
import { signUpRoutes } from "./accounts/sign-up-routes.ts";
import { agentSessionRoutes } from "./agent-sessions/routes.ts";
import type { CredentialWatch } from "./api-keys/credential-watch.ts";
import { createGuards } from "./api-keys/guards.ts";
import { apiKeyRoutes } from "./api-keys/routes.ts";
import { DeviceCookie } from "./auth/device-cookie.ts";
import { Passwords } from "./auth/passwords.ts";
import { requireSession } from "./auth/require-session.ts";
import { SessionCookie } from "./auth/session-cookie.ts";
import { startSession } from "./auth/start-session.ts";
import type { Provider } from "./billing/provider.ts";
import { Reconciler } from "./billing/reconciler.ts";
import { billingRoutes } from "./billing/routes.ts";
import type { Config } from "./config.ts";
import type { Connections } from "./db/connections.ts";
import { decisionRoutes } from "./decisions/routes.ts";
import { feedbackRoutes } from "./feedback/routes.ts";
import type { App } from "./http/app-instance.ts";
import { guardCrossSite } from "./http/guard-cross-site.ts";
import { handleClientError, handleErrors, handleFrameworkError } from "./http/handle-errors.ts";
import { healthRoutes } from "./http/health.ts";
import type { Metrics } from "./http/metrics.ts";
import { RateLimiter } from "./http/rate-limit.ts";
import { ReadBudget } from "./http/read-budget.ts";
import { redirectLoopback } from "./http/redirect-loopback.ts";
import { groupDottedParams } from "./http/request/group-dotted-params.ts";
import { BODY_LIMIT_BYTES, readJson } from "./http/request/read-json.ts";
import { validateRequest } from "./http/request/validate-request.ts";
import { loggerOptions, logRequests } from "./http/request-log.ts";
import { sendSecurityHeaders } from "./http/security-headers.ts";
import { WorkspaceRate } from "./http/workspace-rate.ts";
import { Intake } from "./ingest/intake.ts";
import { ingestRoutes } from "./ingest/routes.ts";
import { RunLearner } from "./insights/blame/run-learner.ts";
import { DaysReader } from "./insights/days/days-reader.ts";
import { FindingsReader } from "./insights/findings/serve/findings-reader.ts";
import { insightsRoutes } from "./insights/routes.ts";
import type { Live } from "./live/live.ts";
import { liveRoutes } from "./live/routes.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { otlpRoutes } from "./otlp/routes.ts";
import { pageRoutes } from "./pages/routes.ts";
import { priceRoutes } from "./prices/routes.ts";
import { referenceRoutes } from "./reference/routes.ts";
import { retentionRoutes } from "./retention/routes.ts";
import { runIngestJob } from "./run-ingest-job.ts";
import { savedViewRoutes } from "./saved-views/routes.ts";
import { judgeRoutes } from "./scores/judges/routes.ts";
import { outcomeRoutes } from "./scores/outcomes/routes.ts";
import { scoreRoutes } from "./scores/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { Searches } from "./search/searches.ts";
import { shareRoutes } from "./shares/routes.ts";
import { sharedRoutes } from "./shares/shared-routes.ts";
import { statsRoutes } from "./stats/routes.ts";
import { exportRoute } from "./traces/export-route.ts";
import { traceRoutes } from "./traces/routes.ts";
import { verdictRoutes } from "./verdicts/routes.ts";

export interface AppOptions {
  config: Config;
  connections: Connections;
  /** Undefined if no payment provider is configured. */
  provider: Provider | undefined;
  live: Live;
  credentials: CredentialWatch;
  metrics: Metrics;
  version: string;
  isDraining: () => boolean;
  isMailFailing: () => boolean;
}

/** The slices in order: each imports only the floors (http, db, concurrency) and earlier slices. A test checks this. */
export const SLICES = [
  "mail",
  "auth",
  "workspaces",
  "billing",
  "api-keys",
  "accounts",
  "live",
  "payloads",
  "prices",
  "decision-facts",
  "outcomes",
  "trace-store",
  "ingest",
  "otlp",
  "traces",
  "shares",
  "agent-sessions",
  "decisions",
  "stats",
  "verdicts",
  "insights",
  "scores",
  "feedback",
  "search",
  "saved-views",
  "mcp",
  "retention",
  "account-data",
  "pages",
  "reference",
];

/** The same extension as this file: .ts from the sources, .js after the build. */
const INGEST_THREAD = new URL(`run-ingest-thread${extname(import.meta.url)}`, import.meta.url);

/** Registers the HTTP floor, then the routes of each slice. */
export async function createApp({
  config,
  connections,
  provider,
  live,
  credentials,
  metrics,
  version,
  isDraining,
  isMailFailing,
}: AppOptions): Promise<{ app: App; intake: Intake }> {
  const app = createInstance(config);
  const { account: db, reads, writes } = connections;
  const cookie = new SessionCookie(config.publicUrl);
  const deviceCookie = new DeviceCookie(config.publicUrl);
  const start = startSession(db, cookie, deviceCookie);
  const requests = new WorkspaceRate("requests", config.readRequestsPerMinute);
  metrics.queue("session-requests", requests);
  const guard = requireSession(db, cookie, requests);
  const guards = createGuards(db, guard, requests);
  const limiter = new RateLimiter(db);
  const { freeSessionsPerDay } = config;
  const reconciler = new Reconciler({ db, provider, freeSessionsPerDay, log: app.log });
  const passwords = new Passwords();
  metrics.gauge("password_checks_waiting", "Password hashes running or waiting", () => passwords.depth);

  sendSecurityHeaders(app, config.publicUrl);
  logRequests(app);
  redirectLoopback(app, config.publicUrl);
  handleErrors(app);
  readJson(app);
  groupDottedParams(app);
  await guardCrossSite(app, config.allowedOrigins);
  await cookie.register(app);
  closeConnectionsWhenDraining(app, isDraining);
  // Must come before the other routes, because it documents the routes registered after it.
  await referenceRoutes(app, { guards, cookie, publicUrl: config.publicUrl, version });
  metrics.routes(app, config.metricsToken);
  healthRoutes(app, { pool: connections.health, version, isDraining, isMailFailing });

  billingRoutes(app, { db, config, guard, provider, reconciler });
  apiKeyRoutes(app, { db, guard });
  signUpRoutes(app, { db, config, limiter, passwords, cookie, guard });
  signInRoutes(app, { db, config, limiter, passwords, cookie, deviceCookie, startSession: start, guard });
  signInLinkRoutes(app, { db, startSession: start });
  settingsRoutes(app, { db, config, limiter, passwords, deviceCookie, guard });
  liveRoutes(app, { live, guards, credentials });
  priceRoutes(app, { db, guards });
  const intake = new Intake({
    config,
    connections,
    live,
    metrics,
    log: app.log,
    runJob: runIngestJob,
    threadScript: INGEST_THREAD,
  });
  app.addHook("onClose", () => intake.stop());
  ingestRoutes(app, { connections, intake, reconciler });
  otlpRoutes(app, { connections, intake, reconciler });
  const budget = new ReadBudget(config, metrics, connections.recentCallers);
  exportRoute(app, { reads, budget, guards, credentials });
  traceRoutes(app, { reads, writes, budget, guards, credentials, live });
  shareRoutes(app, { db, reads, guards, publicUrl: config.publicUrl });
  sharedRoutes(app, { db, reads, budget, limiter, limit: config.rateLimits.shared, credentials });
  agentSessionRoutes(app, { reads, guards });
  decisionRoutes(app, { reads, budget, guards, credentials });
  statsRoutes(app, { reads, guards });
  verdictRoutes(app, { reads, writes, budget, guards, credentials });
  const days = new DaysReader(reads);
  const findings = new FindingsReader(reads);
  const learner = new RunLearner(reads);
  insightsRoutes(app, { reads, days, findings, learner, guards });
  // Before scores: an id of a score must not take their paths.
  judgeRoutes(app, { reads, guards });
  scoreRoutes(app, { connections, intake, reconciler, budget, guards, cookie, credentials });
  outcomeRoutes(app, { reads, writes, live, guards });
  feedbackRoutes(app, { connections, intake, reconciler, limiter, limit: config.rateLimits.feedback });
  const searches = new Searches({ reads, budget, metrics });
  searchRoutes(app, { searches, budget, guards, credentials });
  savedViewRoutes(app, { db, guards });
  const { publicUrl } = config;
  mcpRoutes(app, { reads, writes, budget, days, findings, learner, searches, guards, publicUrl, version });
  retentionRoutes(app, { db, reads, limits: config.retention, guard });
  accountDataRoutes(app, {
    db,
    reads,
    budget,
    config,
    limiter,
    passwords,
    cookie,
    guard,
    credentials,
  });
  await pageRoutes(app, { guard });
  return { app, intake };
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
  app.setValidatorCompiler(validateRequest);
  app.setSerializerCompiler(serializerCompiler);
  return app.withTypeProvider();
}

/** Tells clients of a stopping server to reconnect, so that a load balancer sends them to another server. */
function closeConnectionsWhenDraining(app: App, isDraining: () => boolean) {
  app.addHook("onRequest", async (_request, reply) => {
    if (isDraining()) reply.header("connection", "close");
  });
}
