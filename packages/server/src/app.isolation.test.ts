import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  hash32ToHex,
  signatureToHex,
  signDecision,
} from "@whytrace/contract";
import { expectAtEach } from "@whytrace/testing/expect-at-each.ts";
import { mapConcurrently } from "@whytrace/testing/map-concurrently.ts";
import { recordRoutes } from "@whytrace/testing/record-routes.ts";
import { insertIdentity, insertPasskey } from "@whytrace/testing/samples/insert-factors.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus, PASSWORD, type TestResponse } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { NO_SHARE } from "./shares/require-share.ts";

/*
 * Checks access control of every registered route. The table below states who may call each route; a route without an
 * entry fails the test.
 */

interface AccessRule {
  who:
    | "everybody"
    | "a session"
    /** Like a session; a key is told that it may not. */
    | "a person"
    | "a session or a read key"
    | "a session or a review key"
    | "a session, for a page"
    | "a send key"
    | "a session or a key that sends or reviews"
    | "a link"
    | "the metrics token";
  /** For a URL that identifies a record: the parameters of the victim's record. */
  foreign?: (victim: Victim) => Record<string, string>;
  /** A valid body for the route. */
  body?: object;
  /** The response never ends; it is read for a moment. */
  isEndless?: true;
}

interface Victim extends Sender {
  keyId: string;
  traceId: string;
  signInId: string;
  passkeyId: string;
  identityId: string;
  ruleId: string;
  viewId: string;
  decisionRuleId: string;
  shareId: string;
  commentId: string;
  channelId: string;
  deliveryId: string;
  alertRuleId: string;
  maintenanceId: string;
  linkToken: string;
  invitationId: string;
  domainId: string;
}

const SPAN_ID = "span of the victim";
const DECISION_POINT_ID = "decision of the victim";
const EVENT_ID = "event of the victim";
const SCORE_ID = "score of the victim";
const AGENT_SESSION = "session of the victim";
const memberIn = ({ userId }: Victim) => ({ userId });
const invitationOf = ({ invitationId }: Victim) => ({ id: invitationId });
const domainOf = ({ domainId }: Victim) => ({ id: domainId });
const linkOf = ({ linkToken }: Victim) => ({ token: linkToken });
/** Numbers of issues count up in each workspace: the victim has the first, and the others have none. */
const issueOf = () => ({ number: "1" });
const traceOf = ({ traceId }: Victim) => ({ id: traceId });
/** The signature of the victim's decision. */
const decidedBy = () => {
  const { type, chosen, alternatives } = decision();
  return { signature: signatureToHex(signDecision({ type, chosen, alternatives }).signature) };
};

/** A rule for the decision of the victim. */
function neverSearch() {
  const { type, chosen, alternatives } = decision();
  const { signature, step, option } = signDecision({ type, chosen, alternatives });
  const hashes = { signature: signatureToHex(signature), step: hash32ToHex(step) };
  return { agent: "mine", type, option, kind: "never", ...hashes };
}

/** Nothing listens there. */
const NEW_CHANNEL = { kind: "webhook", name: "mine", url: "http://127.0.0.1:1025/hook" };
const channelOf = ({ channelId }: Victim) => ({ id: channelId });
const alertRuleOf = ({ alertRuleId }: Victim) => ({ id: alertRuleId });
const COSTLY = { kind: "cost_per_day", name: "mine", above: 1_000 };
const MAINTENANCE = {
  from: new Date().toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
  note: "mine",
};

/** Not a passkey that anybody has. */
const NO_PASSKEY = {
  id: "",
  rawId: "",
  type: "public-key",
  response: { clientDataJSON: "", attestationObject: "" },
};

const ACCESS_RULES: Readonly<Record<string, AccessRule>> = {
  "OPTIONS *": { who: "everybody" },
  "GET /docs": { who: "everybody" },
  "GET /docs/*": { who: "everybody" },
  "GET /llms.txt": { who: "everybody" },
  "GET /docs/api": { who: "everybody" },
  "GET /docs/api.css": { who: "everybody" },
  "GET /metrics": { who: "the metrics token" },
  "GET /api/openapi.json": { who: "everybody" },
  "GET /api/health": { who: "everybody" },
  "GET /api/health/live": { who: "everybody" },
  "GET /api/auth/registration": { who: "everybody" },
  "POST /api/auth/register": { who: "everybody" },
  "GET /api/auth/methods": { who: "everybody" },
  "POST /api/auth/login": { who: "everybody" },
  "POST /api/auth/login/second-factor": { who: "everybody" },
  "POST /api/auth/passkey/options": { who: "everybody" },
  "POST /api/auth/passkey": { who: "everybody" },
  "POST /api/auth/cli": { who: "everybody" },
  "POST /api/cli-codes": {
    who: "a session",
    body: { challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", name: "mine" },
  },
  // This server has no provider.
  "GET /api/auth/oidc/:id": { who: "everybody", foreign: () => ({ id: "corp" }) },
  "GET /api/auth/oidc/:id/callback": { who: "everybody", foreign: () => ({ id: "corp" }) },
  "POST /api/auth/confirm": { who: "a session", body: { password: PASSWORD } },
  "POST /api/auth/verify-email": { who: "everybody" },
  "POST /api/auth/forgot-password": { who: "everybody" },
  "POST /api/auth/reset-password": { who: "everybody" },
  "POST /api/auth/resend-verification": { who: "a session" },
  "POST /api/auth/logout": { who: "a session" },
  "GET /api/auth/session": { who: "a session" },
  "PATCH /api/account": { who: "a session", body: { name: "Mallory" } },
  "DELETE /api/account": { who: "a session", body: { password: PASSWORD } },
  "GET /api/account/export": { who: "a session" },
  "GET /api/workspaces": { who: "a session" },
  "POST /api/workspaces": { who: "a session", body: { name: "Mallory's" } },
  "GET /api/workspace": { who: "a session" },
  "PATCH /api/workspace": { who: "a session", body: { name: "Mallory's" } },
  "DELETE /api/workspace": { who: "a session", body: { name: "Mallory's" } },
  "GET /api/workspace/export": { who: "a session" },
  "GET /api/workspace/retention": { who: "a session" },
  "PUT /api/workspace/retention": { who: "a session", body: { days: 30 } },
  "GET /api/workspace/retention/expired": { who: "a session" },
  "GET /api/members": { who: "a session" },
  "PATCH /api/members/:userId": { who: "a session", foreign: memberIn, body: { role: "viewer" } },
  "DELETE /api/members/:userId": { who: "a session", foreign: memberIn },
  "GET /api/invitations": { who: "a session" },
  "POST /api/invitations": { who: "a session", body: { email: "mine@example.test" } },
  "POST /api/invitations/:id/resend": { who: "a session", foreign: invitationOf, body: {} },
  "DELETE /api/invitations/:id": { who: "a session", foreign: invitationOf },
  "POST /api/invitations/lookup": { who: "everybody" },
  "POST /api/invitations/accept": { who: "a session", body: { token: "forged" } },
  "GET /api/account/invitations": { who: "a session" },
  "GET /api/workspace/domains": { who: "a session" },
  "POST /api/workspace/domains": { who: "a session", body: { domain: "mine.test", role: "viewer" } },
  "POST /api/workspace/domains/:id/check": { who: "a session", foreign: domainOf, body: {} },
  "DELETE /api/workspace/domains/:id": { who: "a session", foreign: domainOf },
  "GET /api/account/joinable": { who: "a session" },
  "POST /api/account/joinable/:id": {
    who: "a session",
    foreign: ({ workspaceId }) => ({ id: workspaceId }),
    body: {},
  },
  "GET /api/audit": { who: "a session" },
  "GET /api/audit/export": { who: "a session" },
  "GET /api/traces/:id/workspace": { who: "a session", foreign: traceOf },
  "POST /api/account/password": {
    who: "a session",
    body: { currentPassword: PASSWORD, password: "another good password" },
  },
  "GET /api/account/sessions": { who: "a session" },
  "DELETE /api/account/sessions": { who: "a session" },
  "DELETE /api/account/sessions/:id": { who: "a session", foreign: ({ signInId }) => ({ id: signInId }) },
  "PUT /api/workspace/policy": { who: "a session", body: {} },
  "GET /api/account/factors": { who: "a session" },
  "POST /api/account/totp": { who: "a session" },
  "POST /api/account/totp/confirm": { who: "a session", body: { code: "123456" } },
  "DELETE /api/account/totp": { who: "a session" },
  "POST /api/account/recovery-codes": { who: "a session" },
  "POST /api/account/passkeys/options": { who: "a session" },
  "POST /api/account/passkeys": { who: "a session", body: { name: "mine", response: NO_PASSKEY } },
  "GET /api/account/passkeys": { who: "a session" },
  "PATCH /api/account/passkeys/:id": {
    who: "a session",
    foreign: ({ passkeyId }) => ({ id: passkeyId }),
    body: { name: "Mallory's" },
  },
  "DELETE /api/account/passkeys/:id": { who: "a session", foreign: ({ passkeyId }) => ({ id: passkeyId }) },
  "GET /api/account/identities": { who: "a session" },
  "POST /api/account/identities": { who: "a session", body: { provider: "corp" } },
  "DELETE /api/account/identities/:id": {
    who: "a session",
    foreign: ({ identityId }) => ({ id: identityId }),
  },
  "GET /api/keys": { who: "a session" },
  "POST /api/keys": { who: "a session", body: { name: "mine" } },
  "DELETE /api/keys/:id": { who: "a session", foreign: ({ keyId }) => ({ id: keyId }) },
  "GET /api/prices": { who: "a session or a read key" },
  "PUT /api/prices": { who: "a session", body: { model: "gpt-4o", inputUsd: 1, outputUsd: 2 } },
  "DELETE /api/prices/:id": { who: "a session", foreign: ({ ruleId }) => ({ id: ruleId }) },
  "POST /api/traces": { who: "a send key" },
  "POST /v1/traces": { who: "a send key" },
  "POST /v1/logs": { who: "a send key" },
  "POST /v1/metrics": { who: "a send key" },
  "POST /api/otel/v1/traces": { who: "a send key" },
  "POST /api/otel/v1/logs": { who: "a send key" },
  "POST /api/otel/v1/metrics": { who: "a send key" },
  "GET /api/traces": { who: "a session or a read key" },
  "GET /api/views": { who: "a session or a read key" },
  "POST /api/views": { who: "a session", body: { name: "mine", query: "status=ERROR" } },
  "PATCH /api/views/:id": {
    who: "a session",
    foreign: ({ viewId }) => ({ id: viewId }),
    body: { name: "mine" },
  },
  "DELETE /api/views/:id": { who: "a session", foreign: ({ viewId }) => ({ id: viewId }) },
  "GET /api/trace-previews": { who: "a session or a read key" },
  "GET /api/filter-values": { who: "a session or a read key" },
  "GET /api/export/traces": { who: "a session or a read key" },
  "GET /api/traces/:id": { who: "a session or a read key", foreign: traceOf },
  "DELETE /api/traces/:id": { who: "a session", foreign: traceOf },
  "GET /api/traces/:id/outline": { who: "a session or a read key", foreign: traceOf },
  "GET /api/traces/:id/spans/:spanId": {
    who: "a session or a read key",
    foreign: (victim) => ({ ...traceOf(victim), spanId: SPAN_ID }),
  },
  "GET /api/stream": { who: "a session or a read key", isEndless: true },
  "GET /api/traces/:id/decision-points/:decisionPointId": {
    who: "a session or a read key",
    foreign: (victim) => ({ ...traceOf(victim), decisionPointId: DECISION_POINT_ID }),
  },
  "GET /api/traces/:id/events/:eventId": {
    who: "a session or a read key",
    foreign: (victim) => ({ ...traceOf(victim), eventId: EVENT_ID }),
  },
  "POST /api/traces/:id/shares": { who: "a session", foreign: traceOf, body: {} },
  "GET /api/shares": { who: "a session" },
  "DELETE /api/shares/:id": { who: "a session", foreign: ({ shareId }) => ({ id: shareId }) },
  "GET /api/shared/:token/link": { who: "a link", foreign: linkOf },
  "GET /api/shared/:token": { who: "a link", foreign: linkOf },
  "GET /api/shared/:token/outline": { who: "a link", foreign: linkOf },
  "GET /api/shared/:token/why": { who: "a link", foreign: linkOf },
  "GET /api/shared/:token/spans/:spanId": {
    who: "a link",
    foreign: (victim) => ({ ...linkOf(victim), spanId: SPAN_ID }),
  },
  "GET /api/shared/:token/decision-points/:decisionPointId": {
    who: "a link",
    foreign: (victim) => ({ ...linkOf(victim), decisionPointId: DECISION_POINT_ID }),
  },
  "GET /api/shared/:token/events/:eventId": {
    who: "a link",
    foreign: (victim) => ({ ...linkOf(victim), eventId: EVENT_ID }),
  },
  "GET /api/sessions": { who: "a session or a read key" },
  "GET /api/sessions/:id": { who: "a session or a read key", foreign: () => ({ id: AGENT_SESSION }) },
  "GET /api/decisions": { who: "a session or a read key" },
  "PUT /api/insights/verdicts": {
    who: "a session or a review key",
    body: { traceId: "unknown", decisionPointId: DECISION_POINT_ID, verdict: "right" },
  },
  "POST /api/feedback-tokens": { who: "a send key", body: { traceId: "unknown", name: "helpful" } },
  "POST /api/feedback": { who: "everybody" },
  "OPTIONS /api/feedback": { who: "everybody" },
  "GET /api/masking": { who: "a session or a read key" },
  "GET /api/masking/matches": { who: "a session or a read key" },
  "PUT /api/masking": { who: "a session", body: { version: 1, level: "secrets", rules: [] } },
  "POST /api/masking/test": { who: "a session", body: { text: "a text" } },
  "POST /api/masking/preview": { who: "a session", body: { level: "off", rules: [] } },
  "POST /api/masking/apply": { who: "a session" },
  "DELETE /api/masking/apply": { who: "a session" },
  "GET /api/masking/log": { who: "a session" },
  "GET /api/traces/:id/masking": { who: "a session or a read key", foreign: traceOf },
  "POST /api/scores": { who: "a session or a key that sends or reviews" },
  "GET /api/scores": { who: "a session or a read key" },
  "GET /api/scores/names": { who: "a session or a read key" },
  "GET /api/scores/series": { who: "a session or a read key" },
  "GET /api/scores/summary": { who: "a session or a read key" },
  "GET /api/scores/values": { who: "a session or a read key" },
  "GET /api/scores/export": { who: "a session or a read key" },
  "GET /api/scores/queue": { who: "a session or a read key" },
  "GET /api/scores/agreement": { who: "a session or a read key" },
  "GET /api/scores/:id": { who: "a session or a read key", foreign: () => ({ id: SCORE_ID }) },
  "DELETE /api/scores/:id": { who: "a session or a review key", foreign: () => ({ id: SCORE_ID }) },
  "GET /api/traces/:id/outcome": { who: "a session or a read key", foreign: traceOf },
  "GET /api/outcomes": { who: "a session or a read key" },
  "GET /api/outcomes/versions": { who: "a session or a read key" },
  "PUT /api/outcomes": { who: "a session", body: { agent: null, version: 0, bad: [{ kind: "feedback" }] } },
  "DELETE /api/outcomes": { who: "a session" },
  "POST /api/outcomes/preview": { who: "a session", body: { agent: null, bad: [{ kind: "feedback" }] } },
  "GET /api/alerts/channels": { who: "a person" },
  "POST /api/alerts/channels": { who: "a person", body: NEW_CHANNEL },
  "PATCH /api/alerts/channels/:id": { who: "a person", foreign: channelOf, body: { name: "Mallory's" } },
  "DELETE /api/alerts/channels/:id": { who: "a person", foreign: channelOf },
  "POST /api/alerts/channels/:id/test": { who: "a person", foreign: channelOf },
  "POST /api/alerts/channels/:id/secret": { who: "a person", foreign: channelOf },
  "DELETE /api/alerts/channels/:id/secret/previous": { who: "a person", foreign: channelOf },
  "GET /api/alerts/channels/:id/deliveries": { who: "a person", foreign: channelOf },
  "POST /api/alerts/deliveries/:id/resend": {
    who: "a person",
    foreign: ({ deliveryId }) => ({ id: deliveryId }),
  },
  "GET /api/alerts/rules": { who: "a session or a read key" },
  "POST /api/alerts/rules": { who: "a session", body: COSTLY },
  "POST /api/alerts/rules/preview": { who: "a session", body: COSTLY },
  "PATCH /api/alerts/rules/:id": { who: "a session", foreign: alertRuleOf, body: { name: "Mallory's" } },
  "DELETE /api/alerts/rules/:id": { who: "a session", foreign: alertRuleOf },
  "POST /api/alerts/rules/:id/mute": {
    who: "a session",
    foreign: alertRuleOf,
    body: { until: MAINTENANCE.to },
  },
  "DELETE /api/alerts/rules/:id/mute": { who: "a session", foreign: alertRuleOf },
  "GET /api/alerts/incidents": { who: "a session or a read key" },
  "GET /api/alerts/maintenance": { who: "a session or a read key" },
  "POST /api/alerts/maintenance": { who: "a session", body: MAINTENANCE },
  "DELETE /api/alerts/maintenance/:id": {
    who: "a session",
    foreign: ({ maintenanceId }) => ({ id: maintenanceId }),
  },
  "GET /api/issues": { who: "a session or a read key" },
  "POST /api/issues/bulk": {
    who: "a session or a review key",
    body: { issues: [4_711], action: "acknowledge" },
  },
  "GET /api/issues/:number": { who: "a session or a read key", foreign: issueOf },
  "PATCH /api/issues/:number": {
    who: "a session or a review key",
    foreign: issueOf,
    body: { isAcknowledged: true },
  },
  "POST /api/issues/:number/resolve": {
    who: "a session or a review key",
    foreign: issueOf,
    body: { in: "now" },
  },
  "POST /api/issues/:number/ignore": { who: "a session or a review key", foreign: issueOf, body: {} },
  "POST /api/issues/:number/reopen": { who: "a session or a review key", foreign: issueOf, body: {} },
  "POST /api/issues/:number/merge": { who: "a session", foreign: issueOf, body: { issues: [4_711] } },
  "POST /api/issues/:number/split": {
    who: "a session",
    foreign: issueOf,
    body: { problems: ["00000000000001"] },
  },
  "POST /api/issues/:number/comments": {
    who: "a session or a review key",
    foreign: issueOf,
    body: { text: "mine" },
  },
  "DELETE /api/issues/:number/comments/:id": {
    who: "a session",
    foreign: ({ commentId }) => ({ ...issueOf(), id: commentId }),
  },
  "GET /api/issues/:number/timeline": { who: "a session or a read key", foreign: issueOf },
  "GET /api/issues/:number/grouping": { who: "a session or a read key", foreign: issueOf },
  "GET /api/issues/:number/prompt": { who: "a session or a read key", foreign: issueOf },
  "GET /api/notifications": { who: "a session" },
  "PUT /api/notifications": { who: "a session", body: { mail: { alerts: false } } },
  "GET /unsubscribe": { who: "everybody" },
  "POST /unsubscribe": { who: "everybody" },
  "GET /api/insights/findings": { who: "a session or a read key" },
  "GET /api/insights/situation-keys": { who: "a session or a read key" },
  "PUT /api/insights/situation-keys": { who: "a session", body: { keys: ["case.kind"] } },
  "GET /api/insights/verdicts": { who: "a session or a read key" },
  "GET /api/insights/verdicts/counts": { who: "a session or a read key" },
  "GET /api/insights/verdicts/export": { who: "a session or a read key" },
  "DELETE /api/insights/verdicts/:traceId/:decisionPointId": {
    who: "a session or a review key",
    foreign: ({ traceId }) => ({ traceId, decisionPointId: DECISION_POINT_ID }),
  },
  "GET /api/stats/traces": { who: "a session or a read key" },
  "GET /api/stats/models": { who: "a session or a read key" },
  "GET /api/stats/errors": { who: "a session or a read key" },
  "GET /api/stats/choices": { who: "a session or a read key" },
  "GET /api/insights/agents": { who: "a session or a read key" },
  "GET /api/insights/agents/health": { who: "a session or a read key" },
  "GET /api/insights/decisions": { who: "a session or a read key" },
  "GET /api/insights/decisions/:signature": { who: "a session or a read key", foreign: decidedBy },
  "GET /api/insights/decisions/:signature/means": { who: "a session or a read key", foreign: decidedBy },
  "GET /api/insights/decisions/:signature/reasons": { who: "a session or a read key", foreign: decidedBy },
  "GET /api/insights/map": { who: "a session or a read key" },
  "GET /api/insights/map/path": { who: "a session or a read key" },
  "GET /api/insights/blame/:traceId": {
    who: "a session or a read key",
    foreign: (victim) => ({ traceId: traceOf(victim).id }),
  },
  "GET /api/insights/decision-points/:traceId/:decisionPointId": {
    who: "a session or a read key",
    foreign: ({ traceId }) => ({ traceId, decisionPointId: DECISION_POINT_ID }),
  },
  "PUT /api/insights/set-aside/:signature": { who: "a session", foreign: decidedBy },
  "DELETE /api/insights/set-aside/:signature": { who: "a session", foreign: decidedBy },
  "GET /api/insights/compare": { who: "a session or a read key" },
  "GET /api/insights/partners/:traceId": {
    who: "a session or a read key",
    foreign: ({ traceId }) => ({ traceId }),
  },
  "GET /api/insights/drift": { who: "a session or a read key" },
  "GET /api/insights/releases": { who: "a session or a read key" },
  "GET /api/insights/releases/compare": { who: "a session or a read key" },
  "GET /api/insights/rules": { who: "a session or a read key" },
  "POST /api/insights/rules": { who: "a session", body: neverSearch() },
  "DELETE /api/insights/rules/:id": {
    who: "a session",
    foreign: ({ decisionRuleId }) => ({ id: decisionRuleId }),
  },
  "GET /api/search": { who: "a session or a read key" },
  "POST /mcp": {
    who: "a session or a read key",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "find_traces", arguments: {} } },
  },
  "GET /mcp": { who: "a session or a read key" },
  "DELETE /mcp": { who: "a session or a read key" },
  "GET /api/billing": { who: "a session" },
  "POST /api/billing/checkout": { who: "a session", body: { tier: "PRO" } },
  "POST /api/billing/portal": { who: "a session", body: {} },
  // The provider authenticates with a signature over the body; this server has no provider.
  "POST /api/webhooks/stripe": { who: "everybody" },
  ...Object.fromEntries(
    [
      "/login",
      // The token of the link authenticates the user.
      "/login/link",
      "/register",
      "/forgot-password",
      "/reset-password",
      "/verify-email",
      "/invitation",
      "/cli",
      // The API decides whether the link is valid.
      "/shared/:token",
      "/theme.js",
      "/icon.svg",
      "/assets/*",
      // Leads to the first page of the settings.
      "/settings",
    ].map((path): [string, AccessRule] => [`GET ${path}`, { who: "everybody" }]),
  ),
  // A page is the same for all signed-in users; the API decides which records it shows.
  ...Object.fromEntries(
    [
      "/",
      "/welcome",
      "/traces",
      "/traces/:id",
      "/decisions",
      "/why",
      "/why/:signature",
      "/issues",
      "/issues/:number",
      "/alerts",
      "/agents",
      "/agents/:agent",
      "/agents/:agent/releases",
      "/scores",
      "/scores/review",
      "/compare",
      "/sessions",
      "/sessions/:id",
      "/settings/general",
      "/settings/api-keys",
      "/settings/members",
      "/settings/audit",
      "/workspaces/new",
      "/settings/outcomes",
      "/settings/masking",
      "/settings/links",
      "/settings/prices",
      "/settings/billing",
      "/settings/account",
      "/settings/sign-in",
    ].map((path): [string, AccessRule] => [`GET ${path}`, { who: "a session, for a page" }]),
  ),
};

/** Fastify derives each HEAD route from the GET route, including its guard. */
const ruleOf = (route: string) => ACCESS_RULES[route.replace(/^HEAD /, "GET ")];

const recorded = recordRoutes();
const booted = await boot({
  METRICS_TOKEN: "a-token-for-the-metrics-of-this-test",
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
  ENCRYPTION_KEYS: Buffer.alloc(32, "k").toString("base64"),
});
const routes = [...recorded].sort();

let victim: Victim;
type Keys = Readonly<Record<ApiKeyScope, string>>;
let keys: Keys;
let revoked: Keys;
let expired: Keys;
let expiredCookie: string;
beforeAll(async () => {
  victim = await newVictim(booted);
  keys = await newKeys(victim);
  const former = await newSender(booted.client, booted.db);
  revoked = await newKeys(former);
  for (const { id } of (await former.get("/api/keys")).json.keys)
    expectStatus(await former.delete(`/api/keys/${id}`), 200);
  expired = await newKeys(former);
  await sql`update api_keys set expires_at = now() where workspace_id = ${former.workspaceId}`.execute(
    booted.db,
  );
  await sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${former.userId}`.execute(
    booted.db,
  );
  expiredCookie = former.cookie ?? "";
});

async function newKeys(user: Client): Promise<Keys> {
  const create = async (scope: ApiKeyScope): Promise<string> =>
    expectStatus(await user.post("/api/keys", { name: scope, scope }), 201).json.key;
  return { send: await create("send"), read: await create("read"), review: await create("review") };
}

async function newVictim({ client, db }: Booted): Promise<Victim> {
  const sender = await newSender(client, db);
  const whole = trace({
    name: "secret of the victim",
    status: "ERROR",
    sessionId: AGENT_SESSION,
    spans: [span({ id: SPAN_ID })],
    decisionPoints: [decision({ id: DECISION_POINT_ID, reasoning: "secret of the victim" })],
    events: [event({ id: EVENT_ID })],
  });
  expectStatus(await sender.send([whole]), 200);
  const [key] = (await sender.get("/api/keys")).json.keys;
  const rule = { model: "our-*", inputUsd: 1, outputUsd: 2 };
  const view = { name: "view of the victim", query: "status=ERROR" };
  const { id: viewId } = expectStatus(await sender.post("/api/views", view), 201).json;
  const { id: ruleId } = expectStatus(await sender.put("/api/prices", rule), 200).json;
  expectStatus(
    await sender.put("/api/insights/verdicts", {
      traceId: whole.id,
      decisionPointId: DECISION_POINT_ID,
      verdict: "wrong",
      note: "secret of the victim",
    }),
    200,
  );
  const given = {
    id: SCORE_ID,
    traceId: whole.id,
    name: "helpful",
    value: false,
    comment: "secret of the victim",
  };
  expectStatus(await sender.post("/api/scores", { scores: [given] }), 200);
  const decisionRule = expectStatus(await sender.post("/api/insights/rules", neverSearch()), 201).json;
  const shared = expectStatus(await sender.post(`/api/traces/${whole.id}/shares`, { why: true }), 201).json;
  await vi.waitFor(async () => expect((await sender.get("/api/issues")).json.total).toBe(1), 30_000);
  const comment = { text: "secret of the victim" };
  const { id: commentId } = expectStatus(await sender.post("/api/issues/1/comments", comment), 201).json;
  const channel = expectStatus(await sender.post("/api/alerts/channels", NEW_CHANNEL), 201).json;
  const tested = expectStatus(await sender.post(`/api/alerts/channels/${channel.id}/test`), 200).json;
  const alertRule = expectStatus(await sender.post("/api/alerts/rules", COSTLY), 201).json;
  const maintenance = expectStatus(await sender.post("/api/alerts/maintenance", MAINTENANCE), 201).json;
  // What workers find out about them at first does not count as a change by another user.
  await vi.waitFor(async () => {
    expect((await sender.get("/api/alerts/channels")).json.channels[0].failingSince).not.toBeNull();
    expect((await sender.get("/api/alerts/rules")).json.rules[0].reason).not.toBeNull();
  }, 30_000);
  const [signIn] = (await sender.get("/api/account/sessions")).json.sessions;
  await sql`update users set email_verified_at = now() where id = ${sender.userId}`.execute(db);
  const guest = { email: "guest-of-the-victim@example.test" };
  const { id: invitationId } = expectStatus(await sender.post("/api/invitations", guest), 201).json;
  const added = { domain: "victim.example", role: "viewer" };
  const { id: domainId } = expectStatus(await sender.post("/api/workspace/domains", added), 201).json;
  return Object.assign(sender, {
    domainId,
    invitationId,
    keyId: key.id,
    traceId: whole.id,
    signInId: signIn.id,
    passkeyId: await insertPasskey(db, sender.userId),
    identityId: await insertIdentity(db, sender.userId),
    ruleId,
    viewId,
    decisionRuleId: decisionRule.id,
    shareId: shared.id,
    commentId,
    channelId: channel.id,
    deliveryId: tested.deliveryId,
    alertRuleId: alertRule.id,
    maintenanceId: maintenance.id,
    linkToken: new URL(shared.url).pathname.slice("/shared/".length),
  });
}

const split = (route: string): [method: string, path: string] => {
  const [method = "", path = ""] = route.split(" ");
  return [method, path === "*" ? "/api/traces" : path];
};
const fill = (route: string, value: (parameter: string) => string | undefined) =>
  split(route)[1].replace(/:(\w+)/g, (_, parameter: string) => {
    const filled = value(parameter);
    if (!filled) throw new Error(`${route}: the test has no value for ${parameter}`);
    return encodeURIComponent(filled);
  });
const foreignPath = (route: string, owner: Victim = victim) =>
  fill(route, (parameter) => ruleOf(route)?.foreign?.(owner)[parameter]);
const unknownPath = (route: string) => fill(route, () => randomUUID());

function call(
  caller: Client,
  route: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const { body, isEndless } = ruleOf(route) ?? {};
  const signal = isEndless && AbortSignal.timeout(1_000);
  return caller.request(split(route)[0], path, { headers, ...(body && { body }), ...(signal && { signal }) });
}

/** The challenge of a passkey is another one each time. */
const withoutChallenge = ({ status, text }: { status: number; text: string }) => [
  status,
  text.replace(/"challenge":"[^"]*"/, ""),
];
const anonymous = () => new Client(booted.client.url);
async function expectSameAsPlain(route: string, caller: Client, headers?: Record<string, string>) {
  const compare = async () => {
    const path = unknownPath(route);
    const [response, plain] = [
      await call(caller, route, path, headers),
      await call(anonymous(), route, path),
    ];
    expect(withoutChallenge(response)).toEqual(withoutChallenge(plain));
  };
  // The health check waits less than a second for the database, which a slow machine can miss.
  if (route.endsWith(" /api/health")) await vi.waitFor(compare, 30_000);
  else await compare();
}
/** Callers without a valid credential. */
const STRANGERS: readonly [
  string,
  (route: string) => { caller: Client; headers?: Record<string, string> },
][] = [
  ["an anonymous caller", () => ({ caller: anonymous() })],
  ["a revoked API key", (route) => ({ caller: anonymous(), headers: bearer(revoked[bestScope(route)]) })],
  ["an expired API key", (route) => ({ caller: anonymous(), headers: bearer(expired[bestScope(route)]) })],
  ["an expired session", () => ({ caller: new Client(booted.client.url, expiredCookie) })],
];
/** The scope that would be enough for the route, if any is. */
const bestScope = (route: string) => (ruleOf(route)?.who === "a send key" ? "send" : "review");
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** A HEAD response has no body. */
const bodyOf = (route: string, text: string) => (route.startsWith("HEAD ") ? "" : text);
const headerNames = ({ headers }: TestResponse) => [...headers.keys()].sort();
const guardedBy = (...who: AccessRule["who"][]) =>
  routes.filter((route) => who.some((one) => one === ruleOf(route)?.who));
const BY_KEY = ["a session or a read key", "a session or a review key"] as const;

describe("the table", () => {
  it("has a rule for every route of the server, and for no other", () => {
    expect(routes.filter((route) => !ruleOf(route))).toEqual([]);
    expect(Object.keys(ACCESS_RULES).filter((route) => !recorded.has(route))).toEqual([]);
  });

  it("has the victim's parameters for every URL with parameters", () => {
    const named = routes.filter((route) => / \/api\/.*:/.test(route));
    expect(named.filter((route) => !ruleOf(route)?.foreign)).toEqual([]);
  });

  it("matches the API reference", async () => {
    const { paths } = (await booted.client.get("/api/openapi.json")).json;
    const security = {
      everybody: [],
      "a session": [{ session: [] }],
      "a person": [{ session: [] }],
      "a session or a read key": [{ session: [] }, { apiKey: ["read"] }],
      "a session or a review key": [{ session: [] }, { apiKey: ["review"] }],
      "a send key": [{ apiKey: ["send"] }],
      "a session or a key that sends or reviews": [
        { session: [] },
        { apiKey: ["send"] },
        { apiKey: ["review"] },
      ],
      "a link": [],
    };
    for (const route of routes.filter((one) => /^(?!HEAD|OPTIONS).* \/api\//.test(one))) {
      const [method, path] = split(route);
      const { who } = ruleOf(route) ?? {};
      const described = paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()];
      expect([route, described.security]).toEqual([
        route,
        who && who in security ? security[who as keyof typeof security] : undefined,
      ]);
    }
  });
});

describe.each(STRANGERS)("%s", (_, stranger) => {
  it("is rejected at every route of a session, whether or not the record exists", () =>
    expectAtEach(guardedBy("a session", "a person", ...BY_KEY), async (route) => {
      const { caller, headers } = stranger(route);
      const existing = await call(caller, route, foreignPath(route), headers);
      const unknown = await call(caller, route, unknownPath(route), headers);
      expect([existing.status, existing.text]).toEqual([401, bodyOf(route, '{"error":"Unauthorized"}')]);
      expect(existing.text).toBe(unknown.text);
      expect(headerNames(existing)).toEqual(headerNames(unknown));
    }));

  it("is redirected from every page to sign in, with the way back", () =>
    expectAtEach(guardedBy("a session, for a page"), async (route) => {
      const { caller, headers } = stranger(route);
      const path = `${unknownPath(route)}?q=1`;
      const response = await call(caller, route, path, headers);
      expect([response.status, response.headers.get("location")]).toEqual([
        302,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
    }));

  it("is rejected where keys send", () =>
    expectAtEach(guardedBy("a send key"), async (route) => {
      const { caller, headers } = stranger(route);
      const response = await call(caller, route, unknownPath(route), headers);
      const text = headers ? "Invalid API key" : "Missing or invalid Authorization header";
      // OTLP has an error format of its own.
      const { error = response.json.message } = response.json;
      expect([response.status, error]).toEqual([401, text]);
    }));

  it("is rejected where keys send or review", () =>
    expectAtEach(guardedBy("a session or a key that sends or reviews"), async (route) => {
      const { caller, headers } = stranger(route);
      expect((await call(caller, route, unknownPath(route), headers)).status).toBe(401);
    }));

  it("is rejected at the metrics", () =>
    expectAtEach(guardedBy("the metrics token"), async (route) => {
      const { caller, headers } = stranger(route);
      const response = await call(caller, route, unknownPath(route), headers);
      expect([response.status, response.text]).toEqual([401, bodyOf(route, '{"error":"Unauthorized"}')]);
    }));

  it("finds nothing of a shared trace without the link", () =>
    expectAtEach(guardedBy("a link"), async (route) => {
      const { caller, headers } = stranger(route);
      const response = await call(caller, route, unknownPath(route), headers);
      expect([response.status, response.json?.error]).toEqual([404, bodyOf(route, NO_SHARE) || undefined]);
    }));

  it("gets the same response at every open route as any other caller", () =>
    expectAtEach(guardedBy("everybody"), async (route) => {
      const { caller, headers } = stranger(route);
      await expectSameAsPlain(route, caller, headers);
    }));
});

describe("another user", () => {
  let other: Client;
  let otherKeys: Keys;
  beforeAll(async () => {
    other = await booted.client.newUser();
    otherKeys = await newKeys(other);
  });
  let creating: Promise<unknown> = Promise.resolve();
  /** One account after the other: this test has few connections to the database. */
  const inTurn = <T>(create: () => Promise<T>): Promise<T> => {
    const created = creating.then(create);
    creating = created.catch(() => {});
    return created;
  };
  /** A user who only reads stays as new. */
  const isSafe = (route: string) => /^(GET|HEAD) /.test(route);
  const everythingOf = async (owner: Victim) => {
    const paths = [
      "auth/session",
      "keys",
      "shares",
      "prices",
      "account/sessions",
      "traces",
      "decisions",
      "sessions",
      "billing",
      "insights/verdicts",
      "scores",
      "alerts/channels",
      "alerts/rules",
      "alerts/maintenance",
      "views",
      "members",
      "invitations",
      "workspace",
      "workspace/domains",
      "workspace/retention",
      "masking",
      "outcomes",
      "notifications",
      "insights/rules",
      "insights/situation-keys?agent=mine",
      "account/factors",
      "account/passkeys",
      "account/identities",
    ];
    // The victim's own requests update lastSeenAt, once a minute.
    const withoutLastSeen = (key: string, value: unknown) => (key === "lastSeenAt" ? undefined : value);
    return mapConcurrently([...paths, `traces/${owner.traceId}`], async (path) => {
      const { status, text } = await owner.get(`/api/${path}`);
      return [path, status, JSON.parse(text, withoutLastSeen)];
    });
  };
  const secretsOf = (owner: Victim) => [
    owner.shareId,
    owner.linkToken,
    owner.workspaceId,
    owner.email,
    owner.keyId,
    owner.traceId,
    owner.signInId,
    owner.ruleId,
    owner.viewId,
    owner.channelId,
    owner.deliveryId,
    owner.alertRuleId,
    owner.maintenanceId,
    owner.decisionRuleId,
    SPAN_ID,
    DECISION_POINT_ID,
    EVENT_ID,
    SCORE_ID,
  ];

  /** Only a test that fails takes so long, to name each route at fault. */
  const NAMING_TIMEOUT_MS = 900_000;
  /**
   * Runs a check of each route on the victim, who has the same afterwards. If not, it runs again alone for each route, on another
   * victim, and names those that changed something.
   */
  async function expectNoChange(
    at: readonly string[],
    check: (route: string, owner: Victim) => Promise<void>,
  ) {
    const before = await everythingOf(victim);
    await expectAtEach(at, (route) => check(route, victim));
    if (isDeepStrictEqual(await everythingOf(victim), before)) return;
    const changing: string[] = [];
    const fresh = await newVictim(booted);
    for (const route of at) {
      const alone = await everythingOf(fresh);
      await check(route, fresh).catch(() => undefined);
      if (!isDeepStrictEqual(await everythingOf(fresh), alone)) changing.push(route);
    }
    expect(changing, "routes that change something of another user").toEqual([]);
    expect(await everythingOf(victim)).toEqual(before);
  }

  const CALLERS: [
    string,
    string[],
    (route: string) => Promise<{ caller: Client; headers?: Record<string, string> }>,
  ][] = [
    [
      "with a session",
      guardedBy("a session", "a person", ...BY_KEY),
      async (route) => ({ caller: isSafe(route) ? other : await inTurn(() => booted.client.newUser()) }),
    ],
    [
      "with a key",
      guardedBy(...BY_KEY),
      async () => ({ caller: anonymous(), headers: bearer(otherKeys.review) }),
    ],
  ];
  it.each(CALLERS)(
    "reads and changes nothing of the victim %s",
    { timeout: NAMING_TIMEOUT_MS },
    (_, at, newCaller) =>
      expectNoChange(at, async (route, owner) => {
        const { caller, headers } = await newCaller(route);
        const response = await call(caller, route, foreignPath(route, owner), headers);
        if (ruleOf(route)?.foreign) {
          const unknown = await call(caller, route, unknownPath(route), headers);
          expect(response.status).toBe(404);
          expect(response.text).toBe(unknown.text);
          expect(headerNames(response)).toEqual(headerNames(unknown));
        }
        for (const secret of secretsOf(owner)) expect(response.text).not.toContain(secret);
      }),
  );

  it("does not overwrite the victim's record where keys send", () =>
    expectNoChange(guardedBy("a send key"), async (_, owner) => {
      const sender = await inTurn(() => newSender(booted.client, booted.db));
      const response = await sender.send([trace({ id: owner.traceId, name: "overwritten" })]);
      expect([response.status, response.json]).toEqual([200, { success: true, count: 0 }]);
      expect((await sender.get(`/api/traces/${owner.traceId}`)).status).toBe(404);
    }));

  it("neither judges nor replaces anything of the victim where scores are sent", () =>
    expectNoChange(guardedBy("a session or a key that sends or reviews"), async (route, owner) => {
      const stranger = await inTurn(() => newSender(booted.client, booted.db));
      const scores = [{ id: SCORE_ID, traceId: owner.traceId, name: "helpful", value: true }];
      const response = await stranger.post(split(route)[1], { scores });
      expect([response.status, response.json]).toEqual([200, { success: true, count: 1, ids: [SCORE_ID] }]);
      expect((await stranger.get(`/api/scores/${encodeURIComponent(SCORE_ID)}`)).json).toMatchObject({
        value: true,
        isWaiting: true,
      });
    }));

  it("is rejected at the metrics", async () => {
    const sender = await newSender(booted.client, booted.db);
    await expectAtEach(guardedBy("the metrics token"), async (route) => {
      const headers = { authorization: `Bearer ${sender.key}` };
      expect((await call(sender, route, unknownPath(route), headers)).status).toBe(401);
    });
  });
});

describe("a link", () => {
  it("shows at its routes one trace and nothing else of its owner", () =>
    expectAtEach(guardedBy("a link"), async (route) => {
      const response = await call(anonymous(), route, foreignPath(route));
      expect([response.status, response.headers.get("x-robots-tag")]).toEqual([200, "noindex, nofollow"]);
      const { workspaceId, email, key, keyId, signInId, ruleId, decisionRuleId, shareId } = victim;
      for (const secret of [workspaceId, email, key, keyId, signInId, ruleId, decisionRuleId, shareId])
        expect(response.text).not.toContain(secret);
    }));

  it("opens nothing at other routes", () =>
    expectAtEach(guardedBy("a session", "a person", ...BY_KEY, "a send key"), async (route) => {
      const response = await call(anonymous(), route, foreignPath(route), bearer(victim.linkToken));
      expect(response.status).toBe(401);
    }));
});

describe.each(API_KEY_SCOPES)("a key with the scope %s", (scope) => {
  const callAsVictim = (route: string) => {
    const path = ruleOf(route)?.foreign ? foreignPath(route) : unknownPath(route);
    return call(anonymous(), route, path, bearer(keys[scope]));
  };
  const isAllowed = (who: AccessRule["who"] | undefined) =>
    (who === "a send key" && scope === "send") ||
    (who === "a session or a read key" && scope !== "send") ||
    (who === "a session or a review key" && scope === "review");

  it("is told that no key may do what a person may", () =>
    expectAtEach(guardedBy("a person"), async (route) => {
      const { status, text } = await callAsVictim(route);
      expect([status, text]).toEqual([403, bodyOf(route, '{"error":"No key may do this. Sign in."}')]);
    }));

  it("is admitted or told why not at every other route of a workspace", () =>
    expectAtEach(guardedBy("a session", ...BY_KEY, "a send key"), async (route) => {
      const { who } = ruleOf(route) ?? {};
      const { status, text } = await callAsVictim(route);
      if (isAllowed(who)) expect([401, 403]).not.toContain(status);
      // The specification says how the list answers everybody without a session.
      else if (who === "a session" || (split(route)[1] === "/api/traces" && who !== "a send key"))
        expect([status, text]).toEqual([401, bodyOf(route, '{"error":"Unauthorized"}')]);
      else {
        expect(status).toBe(403);
        if (!route.startsWith("HEAD "))
          expect(text).toMatch(/This key can [a-z ]+, not [a-z ]+\. Create a key with the scope [a-z]+ in/);
      }
    }));

  it("opens nothing at routes without keys", () =>
    expectAtEach(guardedBy("everybody", "the metrics token", "a session, for a page"), async (route) => {
      await expectSameAsPlain(route, anonymous(), bearer(keys[scope]));
    }));
});
