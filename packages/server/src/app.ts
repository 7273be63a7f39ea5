import { extname } from "node:path";
import Fastify, { LogController } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { accountDataRoutes } from "./account-data/routes.ts";
import { cliRoutes } from "./accounts/cli/cli-routes.ts";
import { settingsRoutes } from "./accounts/settings-routes.ts";
import { signInLinkRoutes } from "./accounts/sign-in-link-routes.ts";
import { signInRoutes } from "./accounts/sign-in-routes.ts";
import { signUpRoutes } from "./accounts/sign-up-routes.ts";
import { newWorkspaceRoute } from "./accounts/workspace-routes.ts";
import { agentSessionRoutes } from "./agent-sessions/routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { type CredentialWatch, memberCredential } from "./api-keys/credential-watch.ts";
import { createGuards } from "./api-keys/guards.ts";
import { apiKeyRoutes } from "./api-keys/routes.ts";
import { DeviceCookie } from "./auth/device-cookie.ts";
import { Encryption } from "./auth/encryption.ts";
import { Passwords } from "./auth/passwords.ts";
import { SessionCookie } from "./auth/session-cookie.ts";
import { startSession } from "./auth/start-session.ts";
import type { Provider } from "./billing/provider.ts";
import { Reconciler } from "./billing/reconciler.ts";
import { RefusedRequests } from "./billing/refused-requests.ts";
import { billingRoutes } from "./billing/routes.ts";
import { channelRoutes } from "./channels/routes.ts";
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
import { PathPrefix } from "./http/request/path-prefix.ts";
import { BODY_LIMIT_BYTES, readJson } from "./http/request/read-json.ts";
import { validateRequest } from "./http/request/validate-request.ts";
import { WorkspacePrefix } from "./http/request/workspace-prefix.ts";
import { loggerOptions, logRequests } from "./http/request-log.ts";
import { sendSecurityHeaders } from "./http/security-headers.ts";
import { WorkspaceRate } from "./http/workspace-rate.ts";
import { Intake } from "./ingest/intake.ts";
import { ingestRoutes } from "./ingest/routes.ts";
import { RunLearner } from "./insights/blame/run-learner.ts";
import { DaysReader } from "./insights/days/days-reader.ts";
import { FindingsReader } from "./insights/findings/serve/findings-reader.ts";
import { slotConnections } from "./insights/findings/stored/findings-connections.ts";
import { insightsRoutes } from "./insights/routes.ts";
import { unassignLeaver } from "./issues/leaving/unassign-leavers.ts";
import { issueRoutes } from "./issues/routes.ts";
import type { Live } from "./live/live.ts";
import { liveRoutes } from "./live/routes.ts";
import { maskingRoutes } from "./masking-settings/routes.ts";
import { tellNotApplied } from "./masking-settings/tell-not-applied.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { domainRoutes } from "./members/domains/domain-routes.ts";
import { invitationRoutes } from "./members/invitation-routes.ts";
import { memberRoutes } from "./members/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { oidcRoutes } from "./oidc/routes.ts";
import { otlpRoutes } from "./otlp/routes.ts";
import { documentationRoutes } from "./pages/documentation-routes.ts";
import { notFoundPage } from "./pages/not-found-page.ts";
import { pageRoutes } from "./pages/routes.ts";
import { priceRoutes } from "./prices/routes.ts";
import { referenceRoutes } from "./reference/routes.ts";
import { retentionRoutes } from "./retention/routes.ts";
import { refuseOtherPrefixes, tellAccess } from "./route-access.ts";
import { runIngestJob } from "./run-ingest-job.ts";
import { exceptSample } from "./sample/except-sample.ts";
import { openSample } from "./sample/open-sample.ts";
import { Sample } from "./sample/sample.ts";
import { SAMPLE_PREFIX } from "./sample/sample-workspace.ts";
import { savedViewRoutes } from "./saved-views/routes.ts";
import { judgeRoutes } from "./scores/judges/routes.ts";
import { outcomeRoutes } from "./scores/outcomes/routes.ts";
import { scoreRoutes } from "./scores/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { Searches } from "./search/searches.ts";
import { relyingPartyOf } from "./second-factor/passkeys/relying-party.ts";
import { factorSettingsRoutes } from "./second-factor/settings-routes.ts";
import { secondFactorRoutes } from "./second-factor/sign-in-routes.ts";
import { shareRoutes } from "./shares/routes.ts";
import { sharedRoutes } from "./shares/shared-routes.ts";
import { statsRoutes } from "./stats/routes.ts";
import { takeBack } from "./take-back.ts";
import { exportRoute } from "./traces/export-route.ts";
import { traceRoutes } from "./traces/routes.ts";
import { verdictRoutes } from "./verdicts/routes.ts";
import { auditRoutes } from "./workspaces/audit-routes.ts";
import type { MemberSession } from "./workspaces/member-session.ts";
import { policyRoutes } from "./workspaces/policy-routes.ts";
import { requireMember } from "./workspaces/require-member.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

interface AppOptions {
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
  "audit",
  "auth",
  "workspaces",
  "notifications",
  "billing",
  "api-keys",
  "second-factor",
  "accounts",
  "members",
  "oidc",
  "channels",
  "live",
  "payloads",
  "masking",
  "prices",
  "decision-facts",
  "outcomes",
  "trace-store",
  "ingest",
  "otlp",
  "sample",
  "traces",
  "agent-sessions",
  "decisions",
  "stats",
  "verdicts",
  "insights",
  "shares",
  "issues",
  "alerts",
  "scores",
  "masking-settings",
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
  const samplePrefix = new PathPrefix(SAMPLE_PREFIX);
  const workspacePrefix = new WorkspacePrefix();
  const app = createInstance(config, samplePrefix, workspacePrefix);
  tellAccess(app);
  const { account: db, reads, writes } = connections;
  const cookie = new SessionCookie(config.publicUrl);
  const deviceCookie = new DeviceCookie(config.publicUrl);
  const start = startSession(db, cookie, deviceCookie);
  const requests = new WorkspaceRate("requests", config.readRequestsPerMinute);
  metrics.queue("session-requests", requests);
  const intake = new Intake({
    config,
    connections,
    live,
    metrics,
    log: app.log,
    runJob: runIngestJob,
    threadScript: INGEST_THREAD,
    onNotApplied: (workspaceId) =>
      tellNotApplied(connections, workspaceId, config.publicUrl).catch((error: unknown) =>
        app.log.warn({ err: error }, "owners were not told that masking rules cannot be applied"),
      ),
  });
  app.addHook("onClose", () => intake.stop());
  const { publicUrl } = config;
  const sample = config.hasSample
    ? new Sample({
        connections,
        live,
        publicUrl,
        maskings: intake.maskings,
        scores: intake.scores,
        log: app.log,
      })
    : undefined;
  const visitors = openSample(app, samplePrefix, sample);
  app.addHook("onClose", () => sample?.stop());
  const slugOf = workspacePrefix.slugOf.bind(workspacePrefix);
  const guard = exceptSample(
    requireMember({ db, cookie, requests, providers: config.providers, slugOf }),
    visitors.isAsked,
  );
  const guards = createGuards(db, guard, requests, { visitors, slugOf });
  const limiter = new RateLimiter(db);
  const { freeSessionsPerDay } = config;
  const reconciler = new Reconciler({ db, provider, freeSessionsPerDay, log: app.log });
  const passwords = new Passwords();
  metrics.gauge("password_checks_waiting", "Password hashes running or waiting", () => passwords.depth);

  sendSecurityHeaders(app, config.publicUrl);
  logRequests(app);
  redirectLoopback(app, config.publicUrl);
  handleErrors(app, notFoundPage);
  refuseOtherPrefixes(app, workspacePrefix);
  readJson(app);
  groupDottedParams(app);
  await guardCrossSite(app, config.allowedOrigins);
  await cookie.register(app);
  closeConnectionsWhenDraining(app, isDraining);
  // Must come before the other routes, because it documents the routes registered after it.
  await referenceRoutes(app, { guards, cookie, publicUrl: config.publicUrl, version });
  metrics.routes(app, config.metricsToken);
  healthRoutes(app, { pool: connections.health, version, isDraining, isMailFailing });

  workspaceRoutes(app, { db, guard });
  billingRoutes(app, { db, config, guard, provider, reconciler });
  policyRoutes(app, { db, config, guard });
  apiKeyRoutes(app, { db, guard });
  signUpRoutes(app, { db, config, limiter, passwords, cookie, takeBack, guard });
  signInRoutes(app, { db, config, limiter, passwords, cookie, deviceCookie, startSession: start, guard });
  const checks = {
    db,
    encryption: new Encryption(config.encryptionKeys),
    relyingParty: relyingPartyOf(publicUrl),
  };
  secondFactorRoutes(app, { db, config, limiter, passwords, checks, startSession: start, guard });
  factorSettingsRoutes(app, { db, config, limiter, checks, guard });
  oidcRoutes(app, { db, config, limiter, cookie, startSession: start, takeBack, guard });
  signInLinkRoutes(app, { db, cookie, startSession: start, takeBack });
  cliRoutes(app, { db, config, limiter, guard });
  newWorkspaceRoute(app, { db, config, guard });
  settingsRoutes(app, { db, config, limiter, passwords, deviceCookie, guard });
  memberRoutes(app, {
    db,
    guard,
    onLeft: (workspaceId, left) => unassignLeaver({ db, log: app.log }, workspaceId, left),
  });
  invitationRoutes(app, { db, limiter, config, takeBack, guard });
  domainRoutes(app, { db, limiter, config, guard });
  channelRoutes(app, { reads, writes, guards, limiter, config });
  notificationRoutes(app, { db, guard });
  liveRoutes(app, { live, guards, credentials });
  priceRoutes(app, { db, guards });
  const refusals = new RefusedRequests(db, app.log);
  app.addHook("onClose", () => refusals.write());
  ingestRoutes(app, { connections, intake, reconciler, refusals });
  otlpRoutes(app, { connections, intake, reconciler, refusals });
  const budget = new ReadBudget(config, metrics, connections.recentCallers);
  const permissionOf = (member: MemberSession) => credentials.permission(memberCredential(member));
  auditRoutes(app, { db, budget, guard, permissionOf });
  exportRoute(app, { db, reads, budget, guards, credentials });
  traceRoutes(app, { db, reads, writes, budget, guards, credentials, live });
  agentSessionRoutes(app, { reads, guards });
  decisionRoutes(app, { reads, budget, guards, credentials });
  statsRoutes(app, { reads, guards });
  verdictRoutes(app, { db, reads, writes, maskings: intake.maskings, budget, guards, credentials });
  const days = new DaysReader(reads);
  const findings = new FindingsReader({ reads, metrics, log: app.log });
  const learner = new RunLearner(slotConnections(reads));
  insightsRoutes(app, { db, reads, days, findings, learner, guards });
  shareRoutes(app, { db, reads, days, learner, guards, publicUrl: config.publicUrl });
  sharedRoutes(app, { db, reads, budget, limiter, limit: config.rateLimits.shared, credentials });
  issueRoutes(app, { db, reads, writes, learner, live, maskings: intake.maskings, guards });
  alertRoutes(app, { reads, writes, guards, limiter });
  // Before scores: an id of a score must not take their paths.
  judgeRoutes(app, { reads, guards });
  scoreRoutes(app, { connections, intake, reconciler, budget, guards, cookie, slugOf, credentials });
  outcomeRoutes(app, { reads, writes, live, guards });
  maskingRoutes(app, { reads, writes, budget, guards, credentials, config: config.masking, publicUrl });
  feedbackRoutes(app, { connections, intake, reconciler, limiter, limit: config.rateLimits.feedback });
  const searches = new Searches({ reads, budget, metrics });
  searchRoutes(app, { searches, budget, guards, credentials });
  savedViewRoutes(app, { db, guards });
  mcpRoutes(app, {
    reads,
    writes,
    maskings: intake.maskings,
    budget,
    days,
    findings,
    learner,
    searches,
    scores: intake.scores,
    live,
    db,
    guards,
    publicUrl,
    version,
  });
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
  await documentationRoutes(app);
  await pageRoutes(app, { guard, isPublic: visitors.isAsked });
  return { app, intake };
}

function createInstance(
  { logLevel, publicUrl, trustProxy }: Config,
  sample: PathPrefix,
  workspace: WorkspacePrefix,
): App {
  const app = Fastify({
    rewriteUrl: (request) => {
      const rewritten = sample.rewrite(request);
      return sample.isOf({ raw: request }) ? rewritten : workspace.rewrite(request);
    },
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
