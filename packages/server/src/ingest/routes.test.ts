import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { absentFields, DECISION_POINT, EVENT, SPAN, TRACE } from "@whytrace/contract";
import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import {
  decision,
  event,
  NO_MODEL,
  NO_MODELS,
  newSender,
  type Sender,
  sendAs,
  setSubscription,
  span,
  trace,
  WRITTEN_DOWN,
} from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { Client } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const MIB = 1024 * 1024;
let booted: Booted;
let client: Client;
let alice: Sender;
let bob: Sender;
beforeAll(async () => {
  booted = await boot();
  client = booted.client;
  alice = await newSender(client, booted.db);
  bob = await newSender(client, booted.db);
});

const post = (
  raw: string | Buffer,
  headers: Record<string, string> = { authorization: `Bearer ${alice.key}` },
) =>
  fetch(`${client.url}/api/traces`, { method: "POST", body: raw, headers }).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as unknown,
  }));
const get = async (user: Sender, id: string) => user.get(`/api/traces/${encodeURIComponent(id)}`);
const usageOf = async (user: Sender) => {
  const { rows } = await sql<{
    sessionsUsed: number;
  }>`select sessions_used from subscriptions where workspace_id = ${user.workspaceId}`.execute(booted.db);
  return rows[0]?.sessionsUsed;
};

/** Sends only headers, or a body of 64 KiB chunks without Content-Length; fetch cannot do this. */
function rawPost(
  headers: Record<string, string>,
  chunks?: number,
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    const call = request(`${client.url}/api/traces`, { method: "POST", headers }, (response) => {
      hasResponse = true;
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode, body });
        call.destroy();
      });
    });
    call.on("error", (error) => hasResponse || reject(error));
    const send = (left: number) => {
      if (left === 0 || hasResponse) call.end();
      else call.write(Buffer.alloc(64 * 1024, 0x20), () => send(left - 1));
    };
    if (chunks === undefined) call.flushHeaders();
    else send(chunks);
  });
}

describe("authentication", () => {
  it.each([
    [{}, "Missing or invalid Authorization header"],
    [{ authorization: "Basic abc" }, "Missing or invalid Authorization header"],
    [{ authorization: "bearer x" }, "Missing or invalid Authorization header"],
    [{ authorization: "Bearer" }, "Missing API key in Authorization header"],
    [{ authorization: "Bearer nonsense" }, "Invalid API key"],
  ])("%j is 401", async (headers, error) => {
    const response = await post("{", headers as Record<string, string>);
    expect([response.status, response.json]).toEqual([401, { error }]);
  });

  it("fails before the body is read: first the header is checked, then the size, then the key", async () => {
    const large = { "content-length": String(11 * MIB) };
    expect((await rawPost(large)).status).toBe(401);
    expect(await rawPost({ ...large, authorization: "Bearer nonsense" })).toEqual({
      status: 413,
      body: '{"error":"Request body too large (max 10MB)"}',
    });
    expect((await rawPost({ "content-length": "5", authorization: "Bearer nonsense" })).status).toBe(401);
  });

  it("fails with 403 for a user without a subscription", async () => {
    const user = await newSender(client, booted.db);
    await sql`delete from subscriptions where workspace_id = ${user.workspaceId}`.execute(booted.db);
    const response = await user.send([trace()]);
    expect([response.status, response.json]).toEqual([403, { error: "No subscription found for this user" }]);
  });

  it("accepts no session cookie for sending and no API key for reading", async () => {
    expect((await alice.post("/api/traces", { traces: [trace()] })).status).toBe(401);
    expect(
      (await client.get("/api/traces", { headers: { authorization: `Bearer ${alice.key}` } })).status,
    ).toBe(401);
  });
});

describe("a request body", () => {
  it("of exactly 10 MiB is accepted and one byte more is not, with and without Content-Length", async () => {
    const empty = JSON.stringify({ traces: [trace({ metadata: { pad: "" } })] });
    const ofSize = (bytes: number) =>
      empty.replace('"pad":""', `"pad":"${"x".repeat(bytes - empty.length)}"`);
    expect((await post(ofSize(10 * MIB))).status).toBe(200);
    expect((await post(ofSize(10 * MIB + 1))).status).toBe(413);
    expect((await rawPost({ authorization: `Bearer ${alice.key}` }, 161)).status).toBe(413);
  });

  it("never mixes with another user's in a reused buffer, in parallel and after refused requests", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => newSender(client, booted.db)));
    const sent = users.flatMap((user, n) =>
      Array.from({ length: 8 }, (_, i) => ({
        user,
        one: trace({
          metadata: `${n}-${i} `.repeat(20_000 + 3_000 * i),
          spans: [span({ output: `${n}${i}` })],
        }),
      })),
    );
    await Promise.all(
      sent.map(async ({ user, one }, index) => {
        const authorization = `Bearer ${user.key}`;
        if (index % 3 === 0) await post(`{"traces":[${"x".repeat(120_000)}`, { authorization });
        const body = JSON.stringify({ traces: [one] });
        const { status } = await (index % 4 === 1
          ? post(gzipSync(body), { authorization, "content-encoding": "gzip" })
          : user.send([one]));
        expect(status).toBe(200);
      }),
    );
    for (const { user, one } of sent) expect((await get(user, one.id)).json).toMatchObject(one);
  });

  it("may be compressed with gzip, is limited after decompression, and is 400 if it is not valid gzip", async () => {
    const headers = { authorization: `Bearer ${alice.key}`, "content-encoding": "gzip" };
    const sent = trace({ name: "packed" });
    expect((await post(gzipSync(JSON.stringify({ traces: [sent] })), headers)).json).toEqual({
      success: true,
      count: 1,
    });
    expect((await get(alice, sent.id)).json.name).toBe("packed");
    expect((await post(gzipSync(Buffer.alloc(64 * MIB, 0x20)), headers)).status).toBe(413);
    const broken = await post(Buffer.from("not gzip"), headers);
    expect([broken.status, broken.json]).toEqual([400, { error: "Invalid JSON in request body" }]);
    expect((await post("{}", { ...headers, "content-encoding": "br" })).status).toBe(415);
  });

  it.each(["", "{", "nope", '{"traces":[}', '{"traces":[]} x', "\uFEFF{}"])("%j is not JSON", async (raw) => {
    const response = await post(raw);
    expect([response.status, response.json]).toEqual([400, { error: "Invalid JSON in request body" }]);
  });

  it.each(["{}", "[]", "null", "3", '"x"', '{"traces":{}}', '{"traces":null}'])(
    "%j has no traces array",
    async (raw) => {
      const response = await post(raw);
      expect([response.status, response.json]).toEqual([
        400,
        { error: "Request body must contain a 'traces' array" },
      ]);
    },
  );

  it("is limited in depth and number of values, and the error names the limit", async () => {
    const body = (metadata: string) =>
      JSON.stringify({ traces: [trace({ metadata: "@" })] }).replace('"@"', metadata);
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect((await post(body(nested(253)))).status).toBe(200);
    expect((await post(body(nested(254)))).json).toEqual({
      error: "Request body must be at most 256 levels deep",
    });
    expect((await post(body(`[${"{},".repeat(1_000_000)}{}]`))).json).toEqual({
      error: "Request body must have at most 1000000 JSON values",
    });
  });
});

describe("a trace", () => {
  it("is returned as it was sent, with children in their order and absent fields as null", async () => {
    const root = span({
      name: "root",
      type: "AGENT",
      input: { q: "hi" },
      output: [1, 2],
      metadata: { k: "v" },
    });
    const child = span({
      name: "child",
      parentSpanId: root.id,
      tokenCount: 12,
      costUsd: 0.25,
      durationMs: 40,
      statusMessage: "ok",
      endedAt: "2026-01-02T03:04:06.000Z",
    });
    const choice = decision({
      parentSpanId: root.id,
      reasoning: "cheaper",
      contextSnapshot: { a: 1 },
      durationMs: 3,
      costUsd: 0.01,
    });
    const retry = event({ spanId: child.id, metadata: { attempt: 2 } });
    const sent = trace({
      name: "full",
      sessionId: "s-1",
      tags: ["a", "b", 'q"uo\\te'],
      metadata: { nested: { deep: [true, null, "ü"] } },
      totalCost: 0.5,
      totalTokens: 120,
      totalDuration: 900,
      endedAt: "2026-01-02T03:04:07.000Z",
      spans: [child, root],
      decisionPoints: [choice],
      events: [retry],
    });
    for (let sends = 1; sends <= 2; sends += 1) {
      expect((await alice.send([sent])).json).toEqual({ success: true, count: 1 });
      expect((await get(alice, sent.id)).json).toEqual({
        ...absentFields(TRACE),
        ...NO_MODELS,
        ...sent,
        userId: alice.workspaceId,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        spans: [
          { ...absentFields(SPAN), ...NO_MODEL, ...child },
          { ...absentFields(SPAN), ...NO_MODEL, ...root },
        ],
        decisionPoints: [{ ...absentFields(DECISION_POINT), ...WRITTEN_DOWN, ...choice }],
        events: [{ ...absentFields(EVENT), ...retry }],
      });
    }
  });

  it("keeps only its creation time when it is sent again", async () => {
    const first = trace({
      sessionId: "s",
      metadata: {},
      totalCost: 1,
      spans: [span()],
      decisionPoints: [decision()],
      events: [event()],
    });
    await alice.send([first]);
    const { createdAt } = (await get(alice, first.id)).json;
    await alice.send([
      trace({ id: first.id, name: "final", status: "ERROR", spans: [span({ name: "only" })] }),
    ]);
    const after = (await get(alice, first.id)).json;
    expect(after).toMatchObject({
      name: "final",
      status: "ERROR",
      createdAt,
      sessionId: null,
      metadata: null,
      totalCost: null,
      decisionPoints: [],
      events: [],
    });
    expect(after.spans.map((one: { name: string }) => one.name)).toEqual(["only"]);
  });

  it("keeps payloads byte for byte: integers over 2^53, 1e400, escapes, duplicate keys, whitespace", async () => {
    const raw =
      '{ "n":9007199254740993, "e":1e400, "z":-0, "s":"\\u0000\\ud800 \\/", "d":1, "d":2, "__proto__":{"x":1} }';
    const id = randomUUID();
    const body = JSON.stringify({
      traces: [
        trace({
          id,
          metadata: "@",
          spans: [span({ id: "s", input: "@" })],
          decisionPoints: [decision({ chosen: "@", alternatives: ["@"] })],
        }),
      ],
    });
    for (const sends of [1, 2]) {
      expect((await post(body.replaceAll('"@"', raw))).status, `send ${sends}`).toBe(200);
      const { text } = await get(alice, id);
      expect(text.split(raw)).toHaveLength(5);
      expect((await alice.get(`/api/traces/${id}/spans/s`)).text).toContain(`"input":${raw}`);
    }
    expect((await alice.get("/api/traces?limit=100")).text).toContain(`"metadata":${raw}`);
  });

  it("has NUL and lone surrogates replaced by U+FFFD in text, and refused in ids", async () => {
    const sent = trace({ name: "a\0b\ud800", tags: ["t\0"], spans: [span({ statusMessage: "\udfff" })] });
    await alice.send([sent]);
    expect((await get(alice, sent.id)).json).toMatchObject({
      name: "a\uFFFDb\uFFFD",
      tags: ["t\uFFFD"],
      spans: [{ statusMessage: "\uFFFD" }],
    });
    for (const bad of ["\0", "\ud800"])
      for (const one of [
        trace({ id: bad }),
        trace({ sessionId: bad }),
        trace({ spans: [span({ parentSpanId: bad })] }),
        trace({ events: [event({ spanId: bad })] }),
      ])
        expect((await alice.send([one])).json.error).toMatch(/must not contain NUL or a lone surrogate$/);
  });

  it.each([
    [{ id: "x".repeat(1_025) }, "Invalid trace id: must have at most 1024 bytes"],
    [{ id: "é".repeat(513) }, "Invalid trace id: must have at most 1024 bytes"],
    [{ name: "x".repeat(16_385) }, "Invalid trace name: must have at most 16384 bytes"],
    [{ tags: Array(1_001).fill("t") }, "Invalid trace tags: must be at most 1000"],
    [{ tags: ["x".repeat(1_025)] }, "Invalid trace tags: each must have at most 1024 bytes"],
    [{ tags: [1] }, "Invalid trace tags: each must be a string"],
    [{ endedAt: "soon" }, "Invalid trace endedAt: must be an ISO date string or null"],
    [
      { totalTokens: "12" },
      "Invalid trace totalTokens: must be a finite number that a double can hold, or null",
    ],
    [{ spans: [span({ statusMessage: 7 })] }, "Invalid span statusMessage: must be a string or null"],
    [
      { decisionPoints: [decision({ reasoning: {} })] },
      "Invalid decision point reasoning: must be a string or null",
    ],
    [{ events: [event({ spanId: 7 })] }, "Invalid event spanId: must be a string or null"],
    [
      { sampleProbability: 0 },
      "Invalid trace sampleProbability: must be a number above 0 and at most 1, or null",
    ],
    [
      { sampleProbability: "0.5" },
      "Invalid trace sampleProbability: must be a number above 0 and at most 1, or null",
    ],
    [
      { decisionPoints: [decision({ probability: 1.5 })] },
      "Invalid decision point probability: must be a number above 0 and at most 1, or null",
    ],
  ])("%j is refused with an error that names the field", async (overrides, error) => {
    const response = await alice.send([trace(overrides)]);
    expect([response.status, response.json]).toEqual([400, { error }]);
  });

  it("says with which probability it was sampled and its options were drawn, until it is replaced", async () => {
    const sent = trace({
      sampleProbability: 0.1,
      decisionPoints: [decision({ probability: 0.25 }), decision()],
    });
    const drawn = async () => {
      const { sampleProbability, decisionPoints } = (await get(alice, sent.id)).json;
      return [sampleProbability, ...decisionPoints.map((one: { probability: unknown }) => one.probability)];
    };
    await alice.send([sent]);
    expect(await drawn()).toEqual([0.1, 0.25, null]);
    await alice.send([{ ...sent, sampleProbability: 1 }]);
    expect(await drawn()).toEqual([1, 0.25, null]);
    await alice.send([{ ...sent, sampleProbability: null, decisionPoints: [decision()] }]);
    expect(await drawn()).toEqual([null, null]);
  });

  it("with ids, tags and a name of maximum length is stored and found", async () => {
    const long = (length: number) =>
      Buffer.from(randomUUID().repeat(Math.ceil(length / 36)))
        .toString("latin1")
        .slice(0, length);
    const [id, sessionId] = [long(1_024), long(1_024)];
    const sent = trace({
      id,
      name: long(16_384),
      sessionId,
      tags: [long(1_024)],
      spans: [span({ id: long(1_024) })],
      decisionPoints: [decision({ id: long(1_024), parentSpanId: long(1_024) })],
    });
    expect((await alice.send([sent])).status).toBe(200);
    expect((await get(alice, id)).json.spans).toHaveLength(1);
    expect((await alice.get(`/api/traces?sessionId=${sessionId}`)).json.total).toBe(1);
  });

  it.each(["1e400", "9007199254740993", "true", "[]"])("with %s as a number is refused", async (value) => {
    const raw = JSON.stringify({ traces: [trace({ totalTokens: "@" })] }).replace('"@"', value);
    expect((await post(raw)).status).toBe(400);
  });

  it.each([
    "Foo 1",
    "2024-02-30",
    "+275760-09-13T00:00:00Z",
    "0000-01-01",
    "2026-01-01T25:00:00Z",
    "2026-1-1",
    "1767225600000",
  ])("with startedAt %s is refused", async (startedAt) => {
    expect((await alice.send([trace({ startedAt })])).json).toEqual({
      error: "Each trace must have a valid 'startedAt' (ISO date string)",
    });
  });

  it.each([
    ["2026-01-02", "2026-01-02T00:00:00.000Z"],
    ["2026-01-02T03:04", "2026-01-02T03:04:00.000Z"],
    ["2026-01-02T03:04:05.6789", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02T03:04:05+02:30", "2026-01-02T00:34:05.000Z"],
    ["2026-01-02T03:04:05.123-0800", "2026-01-02T11:04:05.123Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"],
    ["5000-01-01T00:00:00.001Z", "5000-01-01T00:00:00.001Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("with startedAt %s is returned with %s", async (startedAt, returned) => {
    const sent = trace({ startedAt });
    for (const sends of [1, 2]) {
      expect((await alice.send([sent])).status).toBe(200);
      expect((await get(alice, sent.id)).json.startedAt, `send ${sends}`).toBe(returned);
    }
  });
});

describe("a batch", () => {
  it("is not stored if any record is invalid, and 409 comes after every 400", async () => {
    const valid = trace();
    const duplicates = trace({ spans: [span({ id: "same" }), span({ id: "same" })] });
    expect((await alice.send([valid, duplicates])).json).toEqual({ error: "Duplicate trace ID detected" });
    expect((await alice.send([valid, duplicates, trace({ status: "x" })])).json).toEqual({
      error: "Invalid trace status: x",
    });
    expect((await get(alice, valid.id)).status).toBe(404);
  });

  it.each([
    [[trace(), trace({ status: "x" })], "traces[1]"],
    [[trace(), trace(), trace({ spans: [span(), span({ type: "LLM" })] })], "traces[2].spans[1]"],
    [[trace({ decisionPoints: [decision({ type: "x" })] })], "traces[0].decisionPoints[0]"],
    [[trace({ events: [event(), event({ id: "same" }), event({ id: "same" })] })], "traces[0].events"],
    [[null], "traces[0]"],
    [[], null],
  ])(
    "says in a header which record was refused, large or small, and no more than the text in the body",
    async (traces, path) => {
      for (const padding of ["", "x".repeat(300_000)]) {
        const response = await sendAs(client, alice.key, { traces, padding });
        expect([response.headers.get("x-error-path"), Object.keys(response.json)]).toEqual([path, ["error"]]);
      }
    },
  );

  it("leaves another user's trace unchanged and uncounted, without an error", async () => {
    const hers = trace({ name: "hers", spans: [span()], decisionPoints: [decision()], events: [event()] });
    await alice.send([hers]);
    const [before, used] = [await get(alice, hers.id), await usageOf(bob)];
    expect((await bob.send([trace({ id: hers.id, name: "stolen", spans: [span()] }), trace()])).json).toEqual(
      { success: true, count: 1 },
    );
    expect((await get(alice, hers.id)).text).toBe(before.text);
    expect((await get(bob, hers.id)).status).toBe(404);
    expect(await usageOf(bob)).toBe((used ?? 0) + 1);
  });

  it("with the same trace id twice counts both in the response and stores the last", async () => {
    const id = randomUUID();
    const used = await usageOf(alice);
    expect(
      (await alice.send([trace({ id, name: "first", spans: [span()] }), trace({ id, name: "second" })])).json,
    ).toEqual({ success: true, count: 2 });
    expect((await get(alice, id)).json).toMatchObject({ name: "second", spans: [] });
    expect(await usageOf(alice)).toBe((used ?? 0) + 1);
  });

  it("never fails when two servers store the same ids in different orders", async () => {
    const second = await boot({ DATABASE_URL: booted.databaseUrl });
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const batch = (order: string[]) =>
      order.map((id) => trace({ id, spans: [span(), span()], decisionPoints: [decision()] }));
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        (i % 2 ? client : second.client).request("POST", "/api/traces", {
          body: { traces: batch(i % 4 < 2 ? ids : ids.toReversed()) },
          headers: { authorization: `Bearer ${i % 3 ? alice.key : bob.key}` },
        }),
      ),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(16).fill(200));
    for (const id of ids) {
      const found = [await get(alice, id), await get(bob, id)].filter((response) => response.status === 200);
      expect(found).toHaveLength(1);
      expect([found[0]?.json.spans.length, found[0]?.json.decisionPoints.length]).toEqual([2, 1]);
    }
  });

  it("sent and deleted at the same time leaves a complete trace or none, and correct totals", async () => {
    const user = await newSender(client, booted.db);
    const id = randomUUID();
    const sent = trace({
      id,
      sessionId: "s",
      spans: [span()],
      decisionPoints: [decision(), decision({ type: "ROUTING" })],
    });
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? user.send([sent]) : user.delete(`/api/traces/${id}`))),
    );
    for (const response of responses) expect([200, 404]).toContain(response.status);
    const found = await get(user, id);
    const { total } = (await user.get("/api/traces")).json;
    expect(total).toBe(found.status === 200 ? 1 : 0);
    expect((await user.get("/api/decisions")).json.total).toBe(total * 2);
    expect((await user.get("/api/sessions")).json.total).toBe(total);
    const rows = await sql`select from decision_points where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    expect(rows.rows).toHaveLength(total * 2);
  });
});

describe("usage", () => {
  it("of FREE counts today's traces, including deleted ones, but not replacements", async () => {
    const user = await newSender(client, booted.db, "FREE");
    const sent = Array.from({ length: 20 }, () => trace());
    expect((await user.send(sent.slice(0, 19))).status).toBe(200);
    await user.send([sent[0]]);
    expect((await user.delete(`/api/traces/${sent[0]?.id}`)).status).toBe(200);
    expect((await user.send([sent[19]])).status).toBe(200);
    const refused = await user.send([sent[1]]);
    expect([refused.status, refused.json]).toEqual([
      429,
      { error: "Rate limit exceeded. Current plan: FREE. Limit: 20/day. Upgrade at /settings/billing" },
    ]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(86_400);
    await sql`update traces set created_at = now() - interval '1 day' where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    await sql`update trace_totals set deleted_on = deleted_on - 1 where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    expect((await user.send([trace()])).status).toBe(200);
  });

  it("is checked before the body is read, and a batch that starts below the limit may exceed it", async () => {
    const user = await newSender(client, booted.db);
    await setSubscription(booted.db, user.workspaceId, { tier: "STARTER", limit: 5, used: 4 });
    expect((await user.send([trace(), trace(), trace()])).json).toEqual({ success: true, count: 3 });
    expect(await usageOf(user)).toBe(7);
    const refused = await post("{not json", { authorization: `Bearer ${user.key}` });
    expect([refused.status, refused.json]).toEqual([
      429,
      { error: "Rate limit exceeded. Current plan: STARTER. Limit: 5/month. Upgrade at /settings/billing" },
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(31 * 86_400);
  });

  it.each(["FREE", "PRO"] as const)(
    "of %s: parallel requests to two servers never exceed the limit together",
    async (tier) => {
      const second = await boot({ DATABASE_URL: booted.databaseUrl });
      const user = await newSender(client, booted.db, "FREE");
      if (tier === "PRO") await setSubscription(booted.db, user.workspaceId, { tier, limit: 100, used: 80 });
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          (i % 2 ? client : second.client).request("POST", "/api/traces", {
            body: { traces: [trace()] },
            headers: { authorization: `Bearer ${user.key}` },
          }),
        ),
      );
      expect(responses.filter((response) => response.status === 200)).toHaveLength(20);
      expect(responses.filter((response) => response.status === 429)).toHaveLength(40);
      expect((await user.get("/api/traces")).json.total).toBe(20);
    },
  );

  it("is not limited if the server sets FREE to unlimited", async () => {
    const { client: free, db } = await boot({ FREE_SESSIONS_PER_DAY: "unlimited" });
    const user = await newSender(free, db, "FREE");
    expect((await user.send(Array.from({ length: 30 }, () => trace()))).status).toBe(200);
    expect((await user.send([trace()])).status).toBe(200);
  });
});

describe("without a database connection", () => {
  it("a batch fails with 503 and Retry-After, and a retry stores it once", async () => {
    const proxy = new DatabaseProxy(booted.databaseUrl);
    const { client: behind } = await boot({ DATABASE_URL: await proxy.open() });
    const sent = trace({ spans: [span()] });
    const send = () =>
      behind.request("POST", "/api/traces", {
        body: { traces: [sent] },
        headers: { authorization: `Bearer ${alice.key}` },
      });
    await proxy.disconnect();
    const down = await send();
    expect([down.status, down.json]).toEqual([503, { error: "Service temporarily unavailable" }]);
    expect(down.headers.get("retry-after")).toBe("1");
    await proxy.open();
    expect((await send()).json).toEqual({ success: true, count: 1 });
    expect((await get(alice, sent.id)).json.spans).toHaveLength(1);
  });
});

// Only on Linux does a thread have a priority of its own.
it.runIf(process.platform === "linux")(
  "is stored by threads of the same priority, as each waits for locks that another one holds",
  async () => {
    const { client: own, db } = await boot();
    const threads = () => readdirSync("/proc/self/task");
    const priorityOf = (thread: string | number) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
      return stat.slice(stat.lastIndexOf(")")).split(" ")[17];
    };
    const before = new Set(threads());
    const large = trace({ spans: [span({ input: "x".repeat(MIB / 2) })] });
    expect((await (await newSender(own, db)).send([large])).status).toBe(200);
    const started = threads().filter((thread) => !before.has(thread));
    expect(started.length).toBeGreaterThan(0);
    expect(new Set(started.map(priorityOf))).toEqual(new Set([priorityOf(process.pid)]));
  },
);
