import { createHash, randomUUID } from "node:crypto";
import { childrenOf, type ListQuery, ReferenceModel } from "@whytrace/testing/reference-model.ts";
import { createSession } from "@whytrace/testing/samples/create-session.ts";
import { insertUser } from "@whytrace/testing/samples/insert-user.ts";
import { sendAs } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client } from "@whytrace/testing/server/client.ts";
import { volume } from "@whytrace/testing/volume.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { generateKey } from "../api-keys/key-format.ts";

const CASES = volume(300);

type Fields = Record<string, unknown>;
interface TestUser {
  id: string;
  key: string;
  client: Client;
}

let booted: Booted;
beforeAll(async () => {
  booted = await boot();
});

/** Inserts a user directly into the database, because registration is slow on purpose. */
async function newUser(tier: "FREE" | "PRO", limit: number): Promise<TestUser> {
  const key = generateKey();
  const workspaceId = await insertUser(booted.db);
  const keyHash = createHash("sha256").update(key).digest();
  await sql`
    insert into subscriptions (workspace_id, tier, sessions_limit) values (${workspaceId}, ${tier}, ${limit})`.execute(
    booted.db,
  );
  await sql`
    insert into api_keys (workspace_id, name, prefix, key_hash, feedback_ref)
    values (${workspaceId}, 'model', 'wt_', ${keyHash}, ${keyHash.subarray(0, 8)})`.execute(booted.db);
  const token = await createSession(booted.db, workspaceId);
  return { id: workspaceId, key, client: new Client(booted.client.url, `whytrace_session=${token}`) };
}

// Few different values, so that ids collide, names match and amounts are equal.
const id = fc.constantFrom("a", "b", "B", "ab", "é", "z/%?");
const name = fc.constantFrom("alpha", "Alphabet", "100%_sure", "back\\slash", "ünder_score", "beta");
const instant = fc.integer({ min: 0, max: 3 }).map((n) => `2026-03-0${n + 1}T10:00:00.000Z`);
const status = fc.constantFrom("RUNNING", "COMPLETED", "ERROR");
const amount = fc.option(fc.constantFrom(0, 1, 2.5), { nil: undefined });
const payload = fc.oneof(
  fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text)),
  name,
);
const invalidValue = fc.constantFrom(undefined, null, "", 7, "nonsense", true);
/** Rarely, one field is invalid. */
const sometimesInvalid = (record: fc.Arbitrary<Fields>, fields: string[]) =>
  fc.oneof(
    { weight: 12, arbitrary: record },
    {
      weight: 1,
      arbitrary: fc
        .tuple(record, fc.constantFrom(...fields), invalidValue)
        .map(([valid, field, value]) => ({ ...valid, [field]: value })),
    },
  );

/** Mostly with unique ids, as clients should send them. */
const children = (child: fc.Arbitrary<Fields>) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.uniqueArray(child, { maxLength: 3, selector: (one) => one.id }) },
    { weight: 1, arbitrary: fc.array(child, { maxLength: 3 }) },
  );

const decisionPoint = sometimesInvalid(
  fc.record({
    id,
    type: fc.constantFrom("ROUTING", "PLANNING"),
    reasoning: fc.option(name, { nil: undefined }),
    chosen: payload,
    alternatives: fc.array(payload, { maxLength: 2 }),
    costUsd: amount,
    parentSpanId: fc.option(id, { nil: undefined }),
    timestamp: instant,
  }),
  ["id", "type", "timestamp", "alternatives"],
);
const span = sometimesInvalid(
  fc.record({
    id,
    name,
    type: fc.constantFrom("LLM_CALL", "AGENT"),
    status,
    startedAt: instant,
    input: payload,
    parentSpanId: fc.option(id, { nil: undefined }),
  }),
  ["id", "name", "type", "startedAt", "status"],
);
const event = sometimesInvalid(
  fc.record({ id, name, type: fc.constantFrom("RETRY", "ERROR"), timestamp: instant, metadata: payload }),
  ["id", "name", "type", "timestamp"],
);
const trace = sometimesInvalid(
  fc.record({
    id,
    name,
    status,
    startedAt: instant,
    tags: fc.array(fc.constantFrom("eu", "eu west", "prod"), { maxLength: 2 }),
    sessionId: fc.option(fc.constantFrom("s1", "s2"), { nil: undefined }),
    metadata: payload,
    totalCost: amount,
    totalDuration: amount,
    decisionPoints: children(decisionPoint),
    spans: children(span),
    events: children(event),
  }),
  [
    "id",
    "name",
    "startedAt",
    "status",
    "tags",
    "spans",
    "decisionPoints",
    "events",
    "sessionId",
    "totalCost",
  ],
);

const who = fc.constantFrom(0, 1);
const paging = { page: fc.integer({ min: 1, max: 3 }), limit: fc.constantFrom(1, 2, 20) };
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      who,
      traces: fc.array(trace, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), who, id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("get" as const), who, id }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("list" as const),
      who,
      query: fc.record({
        ...paging,
        sort: fc.constantFrom("newest", "oldest", "longest", "shortest", "costliest"),
        status: optional(status),
        search: optional(fc.constantFrom("alpha", "ALPHA", "%", "_", "\\", "ha")),
        sessionId: optional(fc.constantFrom("s1", "s")),
        tags: optional(fc.constantFrom("eu", " eu west ,,x", ",")),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("sessions" as const), who, query: fc.record(paging) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("decisions" as const),
      who,
      query: fc.record({
        ...paging,
        sort: fc.constantFrom("newest", "oldest", "costliest"),
        type: optional(fc.constantFrom("ROUTING", "PLANNING")),
        search: optional(fc.constantFrom("alpha", "BETA", "%", "1")),
      }),
    }),
  },
);

const queryOf = (query: object) => {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined) parameters.set(key, String(value));
  return parameters;
};
const present = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The response for a stored trace: every field that was sent; parentSpanId is null unless the span is in the trace. */
function expectedTrace(sent: Fields) {
  const spanIds = childrenOf(sent, "spans").map((one) => one.id);
  const decisionPoints = childrenOf(sent, "decisionPoints").map((one) =>
    expect.objectContaining({
      ...present(one),
      parentSpanId: spanIds.includes(one.parentSpanId) ? one.parentSpanId : null,
    }),
  );
  const like = (records: Fields[]) => records.map((record) => expect.objectContaining(present(record)));
  return expect.objectContaining({
    ...present(sent),
    decisionPoints,
    spans: like(childrenOf(sent, "spans")),
    events: like(childrenOf(sent, "events")),
  });
}

describe("ingest and lists", () => {
  it(
    "behave like a simple model of the specification",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 3, maxLength: 10 }),
          fc.constantFrom<["FREE" | "PRO", number]>(["FREE", 20], ["FREE", 2], ["PRO", 3], ["PRO", 100]),
          async (steps, [tier, limit]) => {
            const model = new ReferenceModel();
            const users = [await newUser(tier, limit), await newUser("PRO", 100)] as const;
            // Trace ids are unique across all users, so each run has its own prefix.
            const prefix = randomUUID();
            const withPrefix = (text: unknown) =>
              typeof text === "string" && text !== "" ? prefix + text : text;
            for (const [index] of users.entries())
              model.addUser(String(index), index === 0 ? tier : "PRO", index === 0 ? limit : 100);
            for (const one of steps) {
              const [user, { client, key }] = [String(one.who), users[one.who === 0 ? 0 : 1]];
              if (one.kind === "send") {
                const traces = one.traces.map((sent) => ({ ...sent, id: withPrefix(sent.id) }));
                const { status, ...rest } = model.send(user, traces);
                const response = await sendAs(client, key, { traces });
                expect([response.status, response.json]).toEqual([
                  status,
                  status === 200 ? { success: true, ...rest } : rest,
                ]);
              } else if (one.kind === "delete") {
                const response = await client.delete(`/api/traces/${encodeURIComponent(prefix + one.id)}`);
                expect(response.status).toBe(model.remove(user, prefix + one.id).status);
              } else if (one.kind === "get") {
                const sent = model.get(user, prefix + one.id);
                const response = await client.get(`/api/traces/${encodeURIComponent(prefix + one.id)}`);
                expect(response.status).toBe(sent ? 200 : 404);
                if (sent) expect(response.json).toEqual(expectedTrace(sent));
              } else if (one.kind === "sessions") {
                const { sessions, total } = model.sessions(user, one.query);
                const { json } = await client.get(`/api/sessions?${queryOf(one.query)}`);
                expect(json).toMatchObject({ sessions, total });
                expect(json.sessions).toHaveLength(sessions.length);
              } else if (one.kind === "list") {
                const { ids, total } = model.list(user, one.query as ListQuery);
                const { json } = await client.get(`/api/traces?${queryOf(one.query)}`);
                expect([json.traces.map((row: Fields) => row.id), json.total]).toEqual([ids, total]);
              } else {
                const { ids, total } = model.decisions(
                  user,
                  present(one.query) as Parameters<ReferenceModel["decisions"]>[1],
                );
                const { json } = await client.get(`/api/decisions?${queryOf(one.query)}`);
                expect([json.decisions.map((row: Fields) => [row.traceId, row.id]), json.total]).toEqual([
                  ids,
                  total,
                ]);
              }
            }
          },
        ),
        { numRuns: CASES, endOnFailure: false },
      );
    },
    100_000 + CASES * 1_000,
  );
});
