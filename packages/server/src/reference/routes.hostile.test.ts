import { Agent, request as openRequest } from "node:http";
import { afterFile } from "@whytrace/testing/after-file.ts";
import { mapConcurrently } from "@whytrace/testing/map-concurrently.ts";
import { type FullAccount, newFullAccount } from "@whytrace/testing/samples/full-account.ts";
import {
  HOSTILE_FIELDS,
  HOSTILE_PARAMETERS,
  LARGE_FIELDS,
  LARGE_PARAMETERS,
} from "@whytrace/testing/samples/hostile-values.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { exampleOf, fieldsOf, withField } from "@whytrace/testing/samples/schema-example.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { FakeStripe } from "@whytrace/testing/server/fake-stripe.ts";
import { sampleOf } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { apiDocument, type JsonSchema, jsonSchema, type Operation } from "./document.ts";

/*
 * Sends hostile values in every path parameter, query parameter and body field of the API reference, and in every argument of the
 * tools for assistants. The rest of each request is valid, so that the value meets the code behind the validation.
 */

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Calls are built when they are sent: together they are large. */
interface Case {
  what: string;
  toCall: () => Call;
}

/** An operation or tool. The valid call comes from another account than the hostile ones: it may end the account. */
interface Target {
  name: string;
  valid: Call;
  hostile: Case[];
  /**
   * Values that most operations refuse for their size, whichever field has them. Of each list, all are sent only where the first
   * one is read.
   */
  large: Case[][];
}

/** The body, the path or the header is too large to be read. */
const UNREAD = new Set([413, 414, 431]);

/** Operations that need something from outside, such as a mail, and their status without it. */
const UNREACHABLE: Readonly<Record<string, number>> = {
  "POST /api/auth/verify-email": 400,
  "POST /api/auth/reset-password": 400,
  "POST /api/auth/login/second-factor": 401,
  "POST /api/auth/passkey": 401,
  "POST /api/auth/cli": 400,
  // The account has a passkey, so that its password confirms nothing.
  "POST /api/auth/confirm": 401,
  "POST /api/account/totp/confirm": 400,
  "POST /api/account/passkeys": 400,
  // This server has no identity provider.
  "POST /api/account/identities": 400,
  "GET /api/auth/oidc/{id}": 404,
  "GET /api/auth/oidc/{id}/callback": 404,
  "POST /api/webhooks/stripe": 400,
  "POST /api/billing/portal": 409,
  "POST /api/feedback": 401,
  // Nobody can accept an invitation to another address.
  "POST /api/invitations/accept": 403,
  // No name server has the record.
  "POST /api/workspace/domains/{id}/check": 409,
  // An issue of one problem cannot be split.
  "POST /api/issues/{number}/split": 400,
};
/** Operations whose valid call may end the account, its credentials or its records, so that it needs one of its own. */
const ENDS =
  /^(DELETE|POST \/api\/traces|\w+ \/api\/(account|auth|billing|invitations|keys|members|workspace))/;
const READERS = 8;
const TIMEOUT_MS = 60_000;
const JSON_TYPE = { "content-type": "application/json" };

const connections = new Agent({ keepAlive: true, maxSockets: 16 });
afterFile(async () => connections.destroy());
let booted: Booted;
let other: Sender;
let targets: Target[];
const reading: FullAccount[] = [];

beforeAll(async () => {
  const stripe = new FakeStripe();
  afterFile(() => stripe.close());
  booted = await boot(
    {
      ...(await stripe.settings()),
      RATE_LIMIT_SHARED: "1000000/1s",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
      ENCRYPTION_KEYS: Buffer.alloc(32, "k").toString("base64"),
    },
    // Each account waits until its issues are counted.
    { pausesMs: { issues: 50 } },
  );
  other = await newSender(booted.client, booted.db);
  for (let count = 0; count < READERS; count += 1) reading.push(await newFullAccount(booted.db, other));
  const { paths } = apiDocument.parse((await booted.client.get("/api/openapi.json")).json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  // Each makes dozens of requests, of which a busy machine must refuse none.
  targets = [
    ...(await mapConcurrently(operations, describeOperation, 8)),
    ...(await mapConcurrently(await listTools(), describeTool, 4)),
  ];
}, 300_000);

it("every operation of the reference and every tool succeeds with valid values", async () => {
  const failed = await mapConcurrently(targets, async ({ name, valid }) => {
    const { status, text } = await send(valid);
    const isExpected = name in UNREACHABLE ? status === UNREACHABLE[name] : status >= 200 && status < 300;
    return isExpected && !text.includes('"isError":true') ? [] : [`${name}: ${status} ${text.slice(0, 200)}`];
  });
  expect(failed.flat()).toEqual([]);
}, 120_000);

it("no value makes one fail with 5xx or without an answer, and other accounts notice nothing", async () => {
  // Interleaved, because an account may run only one export at a time, for example.
  const cases = sampleOf(
    targets.flatMap(({ name, hostile }) => hostile.map((one, index) => ({ ...one, name, index }))),
  ).toSorted((one, two) => one.index - two.index);
  const counts = new Map<number, number>();
  const failed: string[] = [];
  const statusOf = async (name: string, { what, toCall }: Case) => {
    const { status, text } = await send(toCall());
    counts.set(status, (counts.get(status) ?? 0) + 1);
    const isFailure = status === 0 || status >= 500 || text.includes("Internal server error");
    if (isFailure) failed.push(`${name} with ${what}: ${status} ${text.slice(0, 120)}`);
    return status;
  };
  await mapConcurrently(cases, (one) => statusOf(one.name, one));
  await mapConcurrently(sampleOf(targets), async ({ name, large }) => {
    for (const [first, ...others] of large)
      if (first && !UNREAD.has(await statusOf(name, first)))
        for (const other of others) await statusOf(name, other);
  });
  expect(failed).toEqual([]);
  // Many values must get past validation, or the test would be about validation alone.
  const passed = [200, 201, 204, 401, 404].reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
  expect(passed).toBeGreaterThan(cases.length / 5);
  await expectNothingNoticed();
}, 300_000);

/** A connection that is left inside a transaction answers others with an old state, or fails. */
async function expectNothingNoticed() {
  const left = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()
      and state like 'idle in transaction%' and state_change < now() - interval '1 second'`;
  // A worker of the server may be in a transaction while the machine stands still, but not for long.
  await expect.poll(async () => (await left.execute(booted.db)).rows, { timeout: 4_000 }).toEqual([]);
  for (let index = 0; index < 20; index += 1) {
    const sent = trace({ startedAt: new Date().toISOString() });
    expectStatus(await other.send([sent]), 200);
    expect((await other.get("/api/traces?limit=1")).json.traces[0].id).toBe(sent.id);
  }
}

interface DocumentedOperation {
  method: string;
  path: string;
  operation: Operation;
}

async function describeOperation({ method, path, operation }: DocumentedOperation): Promise<Target> {
  const { parameters = [], requestBody } = operation;
  const schema = requestBody?.content["application/json"]?.schema;
  const [forValid, forHostile] =
    method !== "GET" && ENDS.test(`${method} ${path}`) ? await newAccounts() : readers();
  const bodyOf = (account: FullAccount) => schema && exampleOf(schema, knownAt(path, account));
  const toCall = (
    account: FullAccount,
    body: string | undefined,
    [hostileName, hostileText = ""]: [name?: string, text?: string] = [],
  ): Call => {
    const known = knownAt(path, account);
    const write = ({ name, schema: type }: (typeof parameters)[number]) =>
      name === hostileName ? hostileText : encodeURIComponent(String(exampleOf(type, known, name)));
    const inQuery = parameters.filter(
      (one) => one.in === "query" && (one.required || one.name === hostileName || one.name in known),
    );
    const query = inQuery.map(
      (one) => `${one.name}${one.schema.type === "object" ? ".x" : ""}=${write(one)}`,
    );
    const filled = parameters
      .filter((one) => one.in === "path")
      .reduce((url, one) => url.replace(`{${one.name}}`, () => write(one)), path);
    const headers = { ...credentialsFor(operation, account), ...(schema && JSON_TYPE) };
    return { method, path: `${filled}?${query.join("&")}`, headers, body };
  };
  const validBody = schema && JSON.stringify(bodyOf(forHostile));
  const parameterCases = (values: Readonly<Record<string, string>>) =>
    parameters.flatMap(({ name }) =>
      Object.entries(values).map(([what, text]) => ({
        what: `${what} as ${name}`,
        toCall: () => toCall(forHostile, validBody, [name, text]),
      })),
    );
  const fieldCases = (values: Readonly<Record<string, string>>) =>
    bodyCases(schema, bodyOf(forHostile), values, (body) => toCall(forHostile, body));
  return {
    name: `${method} ${path}`,
    valid: toCall(forValid, schema && JSON.stringify(bodyOf(forValid))),
    hostile: [...parameterCases(HOSTILE_PARAMETERS), ...fieldCases(HOSTILE_FIELDS)],
    large: [parameterCases(LARGE_PARAMETERS), fieldCases(LARGE_FIELDS)],
  };
}

/** The valid call may end its account, so it has one of its own. Hostile ones must not. */
const newAccounts = async () => [await newFullAccount(booted.db, other), readers()[0]] as const;

/** Accounts of several operations, in turn: the server limits what one account may do at the same time. */
function readers(): readonly [FullAccount, FullAccount] {
  const reader = reading.shift();
  if (!reader) throw new Error("no account");
  reading.push(reader);
  return [reader, reader];
}

/** The values that an account knows; what `id` is depends on the path. */
function knownAt(
  path: string,
  { known, knownAt: further, ids }: FullAccount,
): Readonly<Record<string, unknown>> {
  const [, id] =
    Object.entries(ids)
      .filter(([start]) => path.startsWith(`${start}/{id}`))
      .at(-1) ?? [];
  const [, more] = Object.entries(further).find(([start]) => path.startsWith(start)) ?? [];
  const own = path.startsWith("/api/masking") ? { ...known, source: "input" } : { ...known, ...more };
  if (path.startsWith("/api/auth")) return { ...own, type: "public-key" };
  return id === undefined ? own : { ...own, id };
}

function credentialsFor({ security = [] }: Operation, { client, keys }: FullAccount): Record<string, string> {
  if (security.some((one) => "session" in one)) return { cookie: client.cookie ?? "" };
  return security.length > 0 ? { authorization: `Bearer ${keys.send}` } : {};
}

const bodyCases = (
  schema: JsonSchema | undefined,
  valid: unknown,
  values: Readonly<Record<string, string>>,
  toCall: (body: string) => Call,
): Case[] =>
  (schema ? fieldsOf(schema) : []).flatMap((path) =>
    Object.entries(values).map(([what, json]) => ({
      what: `${what} as ${path.join(".") || "the body"}`,
      toCall: () => toCall(withField(valid, path, json)),
    })),
  );

const tool = z.object({ name: z.string(), inputSchema: jsonSchema });
const toolList = z.object({ result: z.object({ tools: z.array(tool) }) });

async function listTools() {
  const [account] = readers();
  const { text } = await send(toMessage(account, { jsonrpc: "2.0", id: 1, method: "tools/list" }));
  return toolList.parse(JSON.parse(text.slice(text.indexOf("{")))).result.tools;
}

/** A score is about a span or about a decision. */
const withoutDecision = ({ decisionId: _, ...known }: Record<string, unknown>) => known;

async function describeTool({ name, inputSchema }: z.infer<typeof tool>): Promise<Target> {
  const [forValid, forHostile] = await newAccounts();
  const messageOf = ({ known }: FullAccount) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: exampleOf(inputSchema, withoutDecision({ ...known, id: known.spanId })) },
  });
  const message = messageOf(forHostile);
  const cases = (values: Readonly<Record<string, string>>) =>
    bodyCases(inputSchema, message.params.arguments, values, (body) => ({
      ...toMessage(forHostile, message),
      body: withField(message, ["params", "arguments"], body),
    }));
  return {
    name: `the tool ${name}`,
    valid: toMessage(forValid, messageOf(forValid)),
    hostile: cases(HOSTILE_FIELDS),
    large: [cases(LARGE_FIELDS)],
  };
}

const toMessage = ({ keys }: FullAccount, message: object): Call => ({
  method: "POST",
  path: "/mcp",
  headers: {
    ...JSON_TYPE,
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${keys.review}`,
  },
  body: JSON.stringify(message),
});

/** Never throws: the status 0 says that the connection was cut without an answer. */
function send({ method, path, headers, body }: Call): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const url = new URL(booted.client.url);
    const request = openRequest(
      { host: url.hostname, port: url.port, agent: connections, method, path, headers, timeout: TIMEOUT_MS },
      (response) => {
        const { statusCode: status = 0 } = response;
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          // A stream of events does not end.
          if (response.headers["content-type"] === "text/event-stream" && path.startsWith("/api/stream")) {
            resolve({ status, text });
            request.destroy();
          }
        });
        response.on("end", () => resolve({ status, text }));
        response.on("error", (error) => resolve({ status: 0, text: error.message }));
      },
    );
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", (error) => resolve({ status: 0, text: error.message }));
    if (body !== undefined) request.setHeader("content-length", Buffer.byteLength(body));
    request.end(body);
  });
}
