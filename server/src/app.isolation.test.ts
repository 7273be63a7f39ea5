import { randomUUID } from "node:crypto";
import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  hash32ToHex,
  signatureToHex,
  signDecision,
} from "@whytrace/contract";
import { recordRoutes } from "@whytrace/testing/record-routes.ts";
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
import { beforeAll, describe, expect, it } from "vitest";
import { NO_SHARE } from "./shares/require-share.ts";

/*
 * Checks access control of every registered route. The table below states who may call each route; a route without an
 * entry fails the test.
 */

interface AccessRule {
  who:
    | "everybody"
    | "a session"
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
  ruleId: string;
  viewId: string;
  decisionRuleId: string;
  shareId: string;
  linkToken: string;
}

const SPAN_ID = "span of the victim";
const DECISION_POINT_ID = "decision of the victim";
const EVENT_ID = "event of the victim";
const SCORE_ID = "score of the victim";
const AGENT_SESSION = "session of the victim";
const linkOf = ({ linkToken }: Victim) => ({ token: linkToken });
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

const ACCESS_RULES: Readonly<Record<string, AccessRule>> = {
  "OPTIONS *": { who: "everybody" },
  "GET /docs/api": { who: "everybody" },
  "GET /docs/api.css": { who: "everybody" },
  "GET /metrics": { who: "the metrics token" },
  "GET /api/openapi.json": { who: "everybody" },
  "GET /api/health": { who: "everybody" },
  "GET /api/health/live": { who: "everybody" },
  "GET /api/auth/registration": { who: "everybody" },
  "POST /api/auth/register": { who: "everybody" },
  "POST /api/auth/login": { who: "everybody" },
  "POST /api/auth/verify-email": { who: "everybody" },
  "POST /api/auth/forgot-password": { who: "everybody" },
  "POST /api/auth/reset-password": { who: "everybody" },
  "POST /api/auth/resend-verification": { who: "a session" },
  "POST /api/auth/logout": { who: "a session" },
  "GET /api/auth/session": { who: "a session" },
  "PATCH /api/account": { who: "a session", body: { name: "Mallory" } },
  "DELETE /api/account": { who: "a session", body: { password: PASSWORD } },
  "GET /api/account/export": { who: "a session" },
  "GET /api/account/retention": { who: "a session" },
  "PUT /api/account/retention": { who: "a session", body: { days: 30 } },
  "GET /api/account/retention/expired": { who: "a session" },
  "POST /api/account/password": {
    who: "a session",
    body: { currentPassword: PASSWORD, password: "another good password" },
  },
  "GET /api/account/sessions": { who: "a session" },
  "DELETE /api/account/sessions": { who: "a session" },
  "DELETE /api/account/sessions/:id": { who: "a session", foreign: ({ signInId }) => ({ id: signInId }) },
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
  "POST /api/scores": { who: "a session or a key that sends or reviews" },
  "GET /api/scores": { who: "a session or a read key" },
  "GET /api/scores/names": { who: "a session or a read key" },
  "GET /api/scores/series": { who: "a session or a read key" },
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
  "GET /api/insights/decisions": { who: "a session or a read key" },
  "GET /api/insights/decisions/:signature": { who: "a session or a read key", foreign: decidedBy },
  "GET /api/insights/decisions/:signature/reasons": { who: "a session or a read key", foreign: decidedBy },
  "GET /api/insights/map": { who: "a session or a read key" },
  "GET /api/insights/map/path": { who: "a session or a read key" },
  "GET /api/insights/blame/:traceId": {
    who: "a session or a read key",
    foreign: (victim) => ({ traceId: traceOf(victim).id }),
  },
  "PUT /api/insights/set-aside/:signature": { who: "a session", foreign: decidedBy },
  "DELETE /api/insights/set-aside/:signature": { who: "a session", foreign: decidedBy },
  "GET /api/insights/compare": { who: "a session or a read key" },
  "GET /api/insights/partners/:traceId": {
    who: "a session or a read key",
    foreign: ({ traceId }) => ({ traceId }),
  },
  "GET /api/insights/drift": { who: "a session or a read key" },
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
      // The API decides whether the link is valid.
      "/shared/:token",
      "/theme.js",
      "/icon.svg",
      "/assets/*",
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
      "/compare",
      "/sessions",
      "/sessions/:id",
      "/settings/api-keys",
      "/settings/links",
      "/settings/prices",
      "/settings/billing",
      "/settings/account",
    ].map((path): [string, AccessRule] => [`GET ${path}`, { who: "a session, for a page" }]),
  ),
};

/** Fastify derives each HEAD route from the GET route, including its guard. */
const ruleOf = (route: string) => ACCESS_RULES[route.replace(/^HEAD /, "GET ")];

const recorded = recordRoutes();
const booted = await boot({ METRICS_TOKEN: "a-token-for-the-metrics-of-this-test" });
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
  const shared = expectStatus(await sender.post(`/api/traces/${whole.id}/shares`, {}), 201).json;
  const [signIn] = (await sender.get("/api/account/sessions")).json.sessions;
  return Object.assign(sender, {
    keyId: key.id,
    traceId: whole.id,
    signInId: signIn.id,
    ruleId,
    viewId,
    decisionRuleId: decisionRule.id,
    shareId: shared.id,
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
const foreignPath = (route: string) =>
  fill(route, (parameter) => ruleOf(route)?.foreign?.(victim)[parameter]);
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

const anonymous = () => new Client(booted.client.url);
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
  it.each(guardedBy("a session", ...BY_KEY))(
    "is rejected at %s, whether or not the record exists",
    async (route) => {
      const { caller, headers } = stranger(route);
      const existing = await call(caller, route, foreignPath(route), headers);
      const unknown = await call(caller, route, unknownPath(route), headers);
      expect([existing.status, existing.text]).toEqual([401, bodyOf(route, '{"error":"Unauthorized"}')]);
      expect(existing.text).toBe(unknown.text);
      expect(headerNames(existing)).toEqual(headerNames(unknown));
    },
  );

  it.each(guardedBy("a session, for a page"))(
    "is redirected from %s to sign in, with the way back",
    async (route) => {
      const { caller, headers } = stranger(route);
      const path = `${unknownPath(route)}?q=1`;
      const response = await call(caller, route, path, headers);
      expect([response.status, response.headers.get("location")]).toEqual([
        302,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
    },
  );

  it.each(guardedBy("a send key"))("is rejected at %s", async (route) => {
    const { caller, headers } = stranger(route);
    const response = await call(caller, route, unknownPath(route), headers);
    const text = headers ? "Invalid API key" : "Missing or invalid Authorization header";
    // OTLP has an error format of its own.
    const { error = response.json.message } = response.json;
    expect([response.status, error]).toEqual([401, text]);
  });

  it.each(guardedBy("a session or a key that sends or reviews"))("is rejected at %s", async (route) => {
    const { caller, headers } = stranger(route);
    expect((await call(caller, route, unknownPath(route), headers)).status).toBe(401);
  });

  it.each(guardedBy("the metrics token"))("is rejected at %s", async (route) => {
    const { caller, headers } = stranger(route);
    const response = await call(caller, route, unknownPath(route), headers);
    expect([response.status, response.text]).toEqual([401, bodyOf(route, '{"error":"Unauthorized"}')]);
  });

  it.each(guardedBy("a link"))("finds nothing at %s without the link", async (route) => {
    const { caller, headers } = stranger(route);
    const response = await call(caller, route, unknownPath(route), headers);
    expect([response.status, response.json?.error]).toEqual([404, bodyOf(route, NO_SHARE) || undefined]);
  });

  it.each(guardedBy("everybody"))("gets the same response at %s as any other caller", async (route) => {
    const { caller, headers } = stranger(route);
    const response = await call(caller, route, unknownPath(route), headers);
    const plain = await call(anonymous(), route, unknownPath(route));
    expect([response.status, response.text]).toEqual([plain.status, plain.text]);
  });
});

describe("another user", () => {
  let other: Client;
  let otherKeys: Keys;
  beforeAll(async () => {
    other = await booted.client.newUser();
    otherKeys = await newKeys(other);
  });
  /** A user who only reads stays as new. */
  const isSafe = (route: string) => /^(GET|HEAD) /.test(route);
  const everything = async () => {
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
    ];
    const responses = [...paths, `traces/${victim.traceId}`].map((path) => victim.get(`/api/${path}`));
    // The victim's own requests update lastSeenAt, once a minute.
    const withoutLastSeen = (key: string, value: unknown) => (key === "lastSeenAt" ? undefined : value);
    return (await Promise.all(responses)).map(({ status, text }) => [
      status,
      JSON.parse(text, withoutLastSeen),
    ]);
  };
  const secrets = () => [
    victim.shareId,
    victim.linkToken,
    victim.workspaceId,
    victim.email,
    victim.keyId,
    victim.traceId,
    victim.signInId,
    victim.ruleId,
    victim.viewId,
    victim.decisionRuleId,
    SPAN_ID,
    DECISION_POINT_ID,
    EVENT_ID,
    SCORE_ID,
  ];

  const callers: [string, string, () => Promise<{ caller: Client; headers?: Record<string, string> }>][] = [
    ...guardedBy("a session", ...BY_KEY).map((route): (typeof callers)[number] => [
      route,
      "with a session",
      async () => ({ caller: isSafe(route) ? other : await booted.client.newUser() }),
    ]),
    ...guardedBy(...BY_KEY).map((route): (typeof callers)[number] => [
      route,
      "with a key",
      async () => ({ caller: anonymous(), headers: bearer(otherKeys.review) }),
    ]),
  ];
  it.each(callers)("reads and changes nothing of the victim at %s %s", async (route, _, newCaller) => {
    const before = await everything();
    const { caller, headers } = await newCaller();
    const response = await call(caller, route, foreignPath(route), headers);
    if (ruleOf(route)?.foreign) {
      const unknown = await call(caller, route, unknownPath(route), headers);
      expect(response.status).toBe(404);
      expect(response.text).toBe(unknown.text);
      expect(headerNames(response)).toEqual(headerNames(unknown));
    }
    for (const secret of secrets()) expect(response.text).not.toContain(secret);
    expect(await everything()).toEqual(before);
  });

  it.each(guardedBy("a send key"))("does not overwrite the victim's record at %s", async () => {
    const before = await everything();
    const other = await newSender(booted.client, booted.db);
    const response = await other.send([trace({ id: victim.traceId, name: "overwritten" })]);
    expect([response.status, response.json]).toEqual([200, { success: true, count: 0 }]);
    expect((await other.get(`/api/traces/${victim.traceId}`)).status).toBe(404);
    expect(await everything()).toEqual(before);
  });

  it.each(guardedBy("a session or a key that sends or reviews"))(
    "neither judges nor replaces anything of the victim at %s",
    async (route) => {
      const before = await everything();
      const stranger = await newSender(booted.client, booted.db);
      const scores = [{ id: SCORE_ID, traceId: victim.traceId, name: "helpful", value: true }];
      const response = await stranger.post(split(route)[1], { scores });
      expect([response.status, response.json]).toEqual([200, { success: true, count: 1, ids: [SCORE_ID] }]);
      expect((await stranger.get(`/api/scores/${encodeURIComponent(SCORE_ID)}`)).json).toMatchObject({
        value: true,
        isWaiting: true,
      });
      expect(await everything()).toEqual(before);
    },
  );

  it.each(guardedBy("the metrics token"))("is rejected at %s", async (route) => {
    const other = await newSender(booted.client, booted.db);
    const response = await call(other, route, unknownPath(route), { authorization: `Bearer ${other.key}` });
    expect(response.status).toBe(401);
  });
});

describe("a link", () => {
  it.each(guardedBy("a link"))("shows at %s one trace and nothing else of its owner", async (route) => {
    const response = await call(anonymous(), route, foreignPath(route));
    expect([response.status, response.headers.get("x-robots-tag")]).toEqual([200, "noindex, nofollow"]);
    const { workspaceId, email, key, keyId, signInId, ruleId, decisionRuleId, shareId } = victim;
    for (const secret of [workspaceId, email, key, keyId, signInId, ruleId, decisionRuleId, shareId])
      expect(response.text).not.toContain(secret);
  });

  it.each(guardedBy("a session", ...BY_KEY, "a send key"))("opens nothing at %s", async (route) => {
    const headers = bearer(victim.linkToken);
    const response = await call(anonymous(), route, foreignPath(route), headers);
    expect(response.status).toBe(401);
  });
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

  it.each(guardedBy("a session", ...BY_KEY, "a send key"))(
    "is admitted or told why not at %s",
    async (route) => {
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
    },
  );

  it.each(guardedBy("everybody", "the metrics token", "a session, for a page"))(
    "opens nothing at %s",
    async (route) => {
      const path = unknownPath(route);
      const response = await call(anonymous(), route, path, bearer(keys[scope]));
      const plain = await call(anonymous(), route, path);
      expect([response.status, response.text]).toEqual([plain.status, plain.text]);
    },
  );
});
