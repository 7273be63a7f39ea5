import { Validator } from "@seriousme/openapi-schema-validator";
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
import type { Client, TestResponse } from "@whytrace/testing/server/client.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";

/** The specification's tables of errors. */
const INGEST_ERROR_TEXTS: readonly [status: number, text: string][] = [
  [401, "Missing or invalid Authorization header"],
  [401, "Missing API key in Authorization header"],
  [401, "Invalid API key"],
  [403, "No subscription found for this user"],
  [413, "Request body too large (max 10MB)"],
  [
    429,
    "Rate limit exceeded. Current plan: <tier>. Limit: <sessionsLimit>/day. Upgrade at /settings/billing",
  ],
  [
    429,
    "Rate limit exceeded. Current plan: <tier>. Limit: <sessionsLimit>/month. Upgrade at /settings/billing",
  ],
  [400, "Invalid JSON in request body"],
  [400, "Request body must contain a 'traces' array"],
  [400, "Traces array cannot be empty"],
  [400, "Each trace must have a valid 'id' (string)"],
  [400, "Each trace must have a valid 'name' (string)"],
  [400, "Each trace must have a valid 'startedAt' (ISO date string)"],
  [400, "Invalid trace status: <value>"],
  [400, "Trace tags must be an array"],
  [400, "Trace decisionPoints must be an array"],
  [400, "Trace spans must be an array"],
  [400, "Trace events must be an array"],
  [400, "Each decision point must have a valid 'id' (string)"],
  [400, "Invalid decision point type: <value>"],
  [400, "Each decision point must have a valid 'timestamp' (ISO date string)"],
  [400, "Decision point alternatives must be an array"],
  [400, "Each span must have a valid 'id' (string)"],
  [400, "Each span must have a valid 'name' (string)"],
  [400, "Invalid span type: <value>"],
  [400, "Each span must have a valid 'startedAt' (ISO date string)"],
  [400, "Invalid span status: <value>"],
  [400, "Each event must have a valid 'id' (string)"],
  [400, "Each event must have a valid 'name' (string)"],
  [400, "Invalid event type: <value>"],
  [400, "Each event must have a valid 'timestamp' (ISO date string)"],
  [500, "Internal server error"],
  [409, "Duplicate trace ID detected"],
];
const LIST_ERROR_TEXTS: readonly [status: number, text: string][] = [
  [500, "Internal server error"],
  [401, "Unauthorized"],
  [400, "Invalid page parameter. Must be a positive integer."],
  [400, "Invalid limit parameter. Must be between 1 and 100."],
  [400, "Invalid status. Must be one of: RUNNING, COMPLETED, ERROR"],
  [400, "Invalid sort. Must be one of: newest, oldest, longest, shortest, costliest"],
  [400, "Invalid dateFrom parameter. Must be a valid ISO date string."],
  [400, "Invalid dateTo parameter. Must be a valid ISO date string."],
];

const routes = recordRoutes();
const ajv = new Ajv2020({
  strict: false,
  formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, email: true },
});

let booted: Booted;
let client: Client;
let alice: Sender;
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape it expects
let document: any;
beforeAll(async () => {
  booted = await boot();
  client = booted.client;
  alice = await newSender(client, booted.db);
  document = (await client.get("/api/openapi.json")).json;
});

const schemaOf = (method: string, path: string, status: number) =>
  document.paths[path][method.toLowerCase()].responses[status].content["application/json"].schema;
const textsOf = (method: string, path: string, status: number): string[] =>
  Object.keys(
    document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content["application/json"].examples ??
      {},
  );

/** Checks a response against its documented schema, and an error against its documented texts. */
function expectDocumented(method: string, path: string, { status, json }: TestResponse) {
  const validate = ajv.compile(schemaOf(method, path, status));
  validate(json);
  expect(validate.errors).toBeNull();
  if (status < 400) return;
  const texts = textsOf(method, path, status);
  expect(
    texts.filter((text) => toPattern(text).test(json.error)),
    json.error,
  ).not.toEqual([]);
}

/** `<word>` in a documented text matches any value. */
const toPattern = (text: string) =>
  new RegExp(
    `^${text
      .split(/<[^>]+>/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".+")}$`,
  );

describe("the document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it("documents every route under /api, and no other", () => {
    const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const real = [...routes]
      .filter((route) => /^(?!HEAD|OPTIONS).* \/api\//.test(route))
      .map((route) => route.replace(/:(\w+)/g, "{$1}"));
    expect(described.sort()).toEqual(real.sort());
  });

  it("gives each operation a summary, a section, a unique id and a successful response", () => {
    const operations = Object.values<object>(document.paths).flatMap((methods) => Object.values(methods));
    const sections = document.tags.map(({ name }: { name: string }) => name);
    for (const { summary, tags, responses, operationId } of operations) {
      expect(summary, operationId).toEqual(expect.any(String));
      expect(sections, operationId).toContain(tags[0]);
      expect(
        Object.keys(responses).some((status) => status.startsWith("2") || status === "302"),
        operationId,
      ).toBe(true);
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it("documents both kinds of credentials", () => {
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: "apiKey", in: "cookie", name: "whytrace_session" },
      apiKey: { type: "http", scheme: "bearer" },
    });
  });

  it("contains every error text of the specification, under its status", () => {
    for (const [status, text] of INGEST_ERROR_TEXTS)
      expect(textsOf("POST", "/api/traces", status)).toContain(text);
    for (const [status, text] of LIST_ERROR_TEXTS)
      expect(textsOf("GET", "/api/traces", status)).toContain(text);
  });
});

describe("a response matches the document:", () => {
  const whole = trace({
    sessionId: "s1",
    tags: ["a"],
    metadata: { a: [1, null] },
    totalCost: 0.5,
    totalTokens: 7,
    totalDuration: 1_000,
    endedAt: "2026-01-02T03:04:06Z",
    spans: [span({ id: "s", input: "in", output: { x: 1 }, tokenCount: 3, endedAt: "2026-01-02T03:04:06Z" })],
    decisionPoints: [decision({ id: "d", reasoning: "why", parentSpanId: "s", costUsd: 0.1 })],
    events: [event({ id: "e", spanId: "s", metadata: 1 })],
  });

  it("an ingest request and its response", async () => {
    const { schema } = document.paths["/api/traces"].post.requestBody.content["application/json"];
    const validate = ajv.compile(schema);
    validate({ traces: [whole, trace({ sessionId: "s1", status: "RUNNING" })] });
    expect(validate.errors).toBeNull();
    expect(validate({ traces: [trace({ status: "DONE" })] })).toBe(false);
    expectDocumented(
      "POST",
      "/api/traces",
      await alice.send([whole, trace({ sessionId: "s1", status: "RUNNING" })]),
    );
  });

  it("the example batch", async () => {
    const { schema, example } = document.paths["/api/traces"].post.requestBody.content["application/json"];
    expect(ajv.compile(schema)(example)).toBe(true);
    expect((await alice.send(example.traces)).json).toEqual({ success: true, count: 1 });
  });

  it.each([
    ["GET", "/api/traces"],
    ["GET", "/api/traces/{id}"],
    ["GET", "/api/traces/{id}/outline"],
    ["GET", "/api/traces/{id}/spans/{spanId}"],
    ["GET", "/api/traces/{id}/decision-points/{decisionPointId}"],
    ["GET", "/api/traces/{id}/events/{eventId}"],
    ["GET", "/api/decisions"],
    ["GET", "/api/sessions"],
    ["GET", "/api/sessions/{sessionId}"],
    ["GET", "/api/keys"],
    ["POST", "/api/keys", { name: "second" }],
    ["PUT", "/api/prices", { model: "our-*", inputUsd: 1, outputUsd: 2 }],
    ["GET", "/api/prices"],
    ["POST", "/api/views", { name: "Failures", query: "status=ERROR" }],
    ["GET", "/api/views"],
    ["GET", "/api/stats/models"],
    ["GET", "/api/insights/partners/{traceId}"],
    ["GET", "/api/auth/registration"],
    ["GET", "/api/auth/session"],
    ["GET", "/api/account/sessions"],
    ["PATCH", "/api/account", { name: "Ada" }],
    ["GET", "/api/billing"],
    ["GET", "/api/health"],
    ["GET", "/api/health/live"],
    ["GET", "/api/openapi.json"],
    ["POST", "/api/auth/forgot-password", { email: "nobody@example.test" }],
    ["DELETE", "/api/account/sessions"],
    ["DELETE", "/api/traces/{id}"],
  ])("%s %s", async (method, path, body?: object) => {
    const ids = {
      id: whole.id,
      traceId: whole.id,
      spanId: "s",
      decisionPointId: "d",
      eventId: "e",
      sessionId: "s1",
    };
    const url = Object.entries(ids).reduce((text, [name, id]) => text.replace(`{${name}}`, id), path);
    const response = await alice.request(method, url, body && { body });
    expect(response.status).toBeLessThan(300);
    expectDocumented(method, path.replace("{sessionId}", "{id}"), response);
  });

  it.each<[string, string, string, { body?: unknown; raw?: string; headers?: Record<string, string> }]>([
    ["GET", "/api/traces", "?page=0", {}],
    ["GET", "/api/traces", "?sort=best", {}],
    ["GET", "/api/traces", "?search=a&search=b", {}],
    ["GET", "/api/traces", "?search=%00", {}],
    ["GET", "/api/traces/{id}", "/unknown", {}],
    ["GET", "/api/traces/{id}", "/%00", {}],
    ["GET", "/api/traces", "?metadata.a=1&metadata.a=2", {}],
    ["GET", "/api/traces", "?errorsFrom=many", {}],
    ["GET", "/api/filter-values", "?field=x", {}],
    ["GET", "/api/decisions", "?type=GUESS", {}],
    ["GET", "/api/insights/compare", "?a=x", {}],
    ["GET", "/api/insights/compare", "?a=x&b=y", {}],
    ["GET", "/api/search", "?q=", {}],
    ["GET", "/api/search", "?q=a&limit=201", {}],
    ["GET", "/api/search", "?q=a&cursor=-", {}],
    ["GET", "/api/keys", "", { headers: { cookie: "" } }],
    ["POST", "/api/keys", "", { body: {} }],
    ["POST", "/api/keys", "", { body: { name: "a\u0000b" } }],
    ["POST", "/api/keys", "", { raw: "{", headers: { "content-type": "application/json" } }],
    [
      "POST",
      "/api/keys",
      "",
      { raw: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ],
    ["POST", "/api/keys", "", { body: { name: "x".repeat(70_000) } }],
    ["POST", "/api/keys", "", { body: { name: "x" }, headers: { origin: "https://elsewhere.test" } }],
    ["DELETE", "/api/keys/{id}", "/unknown", {}],
    ["POST", "/api/auth/register", "", { body: { email: "no", password: "correct horse" } }],
    ["POST", "/api/auth/register", "", { body: { email: "a@example.test", password: "short" } }],
    ["POST", "/api/auth/login", "", { body: { email: "a@example.test", password: "wrong" } }],
    ["POST", "/api/auth/login", "", { body: { email: "a@example.test" } }],
    ["POST", "/api/auth/verify-email", "", { body: { token: "none" } }],
    ["POST", "/api/account/password", "", { body: { currentPassword: "wrong", password: "correct horse" } }],
    ["POST", "/api/traces", "", { body: {} }],
    ["POST", "/api/traces", "", { body: {}, headers: { authorization: "Bearer wt_no" } }],
  ])("%s %s%s rejected", async (method, path, rest, options) => {
    const url = path.replace(/\/\{id\}$/, "") + rest;
    const response = await alice.request(method, url, options);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expectDocumented(method, path, response);
  });
});

describe("the page", () => {
  it("shows every operation, without scripts and within its Content-Security-Policy", async () => {
    const page = await client.get("/docs/api");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("style-src 'self'");
    const operations = Object.values<object>(document.paths).flatMap((methods) => Object.values(methods));
    for (const { operationId } of operations) {
      expect(page.text).toContain(`id="${operationId}"`);
      expect(page.text).toContain(`href="#${operationId}"`);
    }
    expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  });

  it("has a stylesheet", async () => {
    const stylesheet = await client.get("/docs/api.css");
    expect(stylesheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(stylesheet.text).toContain("prefers-color-scheme: dark");
  });

  it("escapes HTML in texts", async () => {
    expect((await client.get("/docs/api")).text).toContain("Invalid trace status: &#60;value&#62;");
  });
});
