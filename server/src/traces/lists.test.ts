import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { type Booted, boot } from "../../test/boot.ts";
import { decision, event, newSender, type Sender, span, trace } from "../../test/traces.ts";

let booted: Booted;
let user: Sender;
let other: Sender;
const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, "0")}:00.000Z`;
const fixtures = Array.from({ length: 25 }, (_, i) =>
  trace({
    name: `Run ${i}`,
    status: ["COMPLETED", "ERROR", "RUNNING"][i % 3],
    ...(i < 6 && { sessionId: i < 4 ? "session-a" : "session-b" }),
    startedAt: at(i),
    totalDuration: i,
    totalCost: i / 100,
    spans: Array.from({ length: i % 3 }, () => span({ input: "payload", metadata: { k: 1 } })),
    decisionPoints: Array.from({ length: i % 4 }, (_, n) =>
      decision({ reasoning: `because ${i}-${n}`, contextSnapshot: { n } }),
    ),
    events: Array.from({ length: i % 2 }, () => event({ metadata: {} })),
  }),
);

beforeAll(async () => {
  booted = await boot();
  user = await newSender(booted.client, booted.db);
  other = await newSender(booted.client, booted.db);
  await user.send(fixtures);
  await other.send([trace({ name: "Run elsewhere", sessionId: "session-a", decisionPoints: [decision()] })]);
});

const get = async (path: string) => {
  const answer = await user.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

describe("GET /api/traces", () => {
  it("gives the first 20 of the caller's own, newest first, each with its stored fields and counts and nothing else", async () => {
    const page = await get("/api/traces");
    expect(page).toMatchObject({ total: 25, page: 1, limit: 20, totalPages: 2 });
    expect(page.traces.map((row: { name: string }) => row.name)).toEqual(
      fixtures
        .toReversed()
        .slice(0, 20)
        .map((one) => one.name),
    );
    expect(page.traces[0]).toEqual({
      id: fixtures[24]?.id,
      userId: user.id,
      name: "Run 24",
      sessionId: null,
      status: "COMPLETED",
      tags: [],
      metadata: null,
      totalCost: 0.24,
      totalTokens: null,
      totalDuration: 24,
      startedAt: at(24),
      endedAt: null,
      createdAt: expect.any(String),
      _count: { decisionPoints: 0, spans: 0, events: 0 },
    });
  });

  it.each(["newest", "oldest", "longest", "shortest", "costliest"])(
    "%s: the pages from both ends make up the whole, once",
    async (sort) => {
      for (const limit of [1, 3, 7, 25]) {
        const ids: string[] = [];
        for (let page = 1; page <= Math.ceil(25 / limit); page += 1)
          ids.push(
            ...(await get(`/api/traces?sort=${sort}&limit=${limit}&page=${page}`)).traces.map(
              (row: { id: string }) => row.id,
            ),
          );
        expect(ids).toEqual(
          (await get(`/api/traces?sort=${sort}&limit=100`)).traces.map((row: { id: string }) => row.id),
        );
      }
    },
  );

  it("has empty pages past the end, however far", async () => {
    for (const page of ["3", "99", "9007199254740991", "99999999999999999999"])
      expect(await get(`/api/traces?page=${page}&limit=100`)).toMatchObject({ traces: [], total: 25 });
  });

  it.each([
    ["page=0", "Invalid page parameter. Must be a positive integer."],
    ["page=1.5", "Invalid page parameter. Must be a positive integer."],
    ["page=1&page=2", "Invalid page parameter. Must be a positive integer."],
    ["limit=101", "Invalid limit parameter. Must be between 1 and 100."],
    ["limit=ten&page=1", "Invalid limit parameter. Must be between 1 and 100."],
    ["sort=x&limit=0&page=0", "Invalid page parameter. Must be a positive integer."],
    ["status=done", "Invalid status. Must be one of: RUNNING, COMPLETED, ERROR"],
    ["sort=constructor", "Invalid sort. Must be one of: newest, oldest, longest, shortest, costliest"],
    ["dateFrom=soon", "Invalid dateFrom parameter. Must be a valid ISO date string."],
    ["dateTo=%2B275760-09-14T00:00:00Z", "Invalid dateTo parameter. Must be a valid ISO date string."],
    ["search=a&search=b", "search: must be given once"],
    ["search=%00", "Text must not contain NUL characters"],
  ])("%s is 400", async (query, error) => {
    const answer = await user.get(`/api/traces?${query}`);
    expect([answer.status, answer.json]).toEqual([400, { error }]);
  });

  it("bounds the creation time inclusively, to the millisecond", async () => {
    const { createdAt } = (await get("/api/traces?limit=1")).traces[0];
    const moved = (ms: number) => new Date(Date.parse(createdAt) + ms).toISOString();
    expect((await get(`/api/traces?dateFrom=${createdAt}&dateTo=${createdAt}`)).total).toBe(25);
    expect((await get(`/api/traces?dateFrom=${moved(1)}`)).total).toBe(0);
    expect((await get(`/api/traces?dateTo=${moved(-1)}`)).total).toBe(0);
    expect((await get("/api/traces?dateFrom=2020-01-01")).total).toBe(25);
  });
});

describe("one trace", () => {
  it("as an outline has everything but inputs, outputs, metadata and context snapshots", async () => {
    const sent = fixtures[23];
    const whole = await get(`/api/traces/${sent?.id}`);
    const without = (record: object, ...fields: string[]) =>
      Object.fromEntries(Object.entries(record).filter(([key]) => !fields.includes(key)));
    expect(await get(`/api/traces/${sent?.id}/outline`)).toEqual({
      ...without(whole, "metadata"),
      spans: whole.spans.map((one: object) => without(one, "input", "output", "metadata")),
      decisionPoints: whole.decisionPoints.map((one: object) => without(one, "contextSnapshot")),
      events: whole.events.map((one: object) => without(one, "metadata")),
    });
  });

  it("is read record by record with the payloads that its outline leaves out", async () => {
    const one = trace({
      spans: [span({ input: { a: 1 } })],
      decisionPoints: [decision({ contextSnapshot: { turn: 3 } })],
      events: [event({ metadata: ["m"] })],
    });
    await user.send([one]);
    const whole = await get(`/api/traces/${one.id}`);
    for (const [path, record] of [
      ["spans", whole.spans[0]],
      ["decision-points", whole.decisionPoints[0]],
      ["events", whole.events[0]],
    ] as const) {
      expect(await get(`/api/traces/${one.id}/${path}/${record.id}`)).toEqual(record);
      expect((await user.get(`/api/traces/${one.id}/${path}/unknown`)).status).toBe(404);
    }
    await user.delete(`/api/traces/${one.id}`);
  });

  it("of somebody else is byte for byte like one that does not exist", async () => {
    for (const [path, method] of [
      ["", "GET"],
      ["/outline", "GET"],
      ["/spans/x", "GET"],
      ["/decision-points/x", "GET"],
      ["/events/x", "GET"],
      ["", "DELETE"],
    ] as const) {
      const foreign = await other.request(method, `/api/traces/${fixtures[0]?.id}${path}`);
      const unknown = await other.request(method, `/api/traces/unknown${path}`);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
  });

  it("deleted frees its id for anybody", async () => {
    const sent = trace({ spans: [span()] });
    await user.send([sent]);
    expect((await user.delete(`/api/traces/${sent.id}`)).json).toEqual({ success: true });
    expect((await user.delete(`/api/traces/${sent.id}`)).status).toBe(404);
    expect((await other.send([sent])).json).toEqual({ success: true, count: 1 });
    expect((await other.delete(`/api/traces/${sent.id}`)).status).toBe(200);
  });
});

describe("GET /api/decisions", () => {
  it("names the parent trace, and finds by reasoning, choice and trace name", async () => {
    const [first] = (await get("/api/decisions?limit=1&sort=oldest")).decisions;
    expect(first).toMatchObject({
      traceId: first.trace.id,
      alternatives: [{ tool: "cache" }],
      trace: {
        name: expect.stringMatching(/^Run/),
        status: expect.any(String),
        startedAt: expect.any(String),
      },
    });
    expect(Object.keys(first.trace).sort()).toEqual(["id", "name", "startedAt", "status"]);
    expect((await get("/api/decisions?search=BECAUSE%2011-")).total).toBe(3);
    expect((await get(`/api/decisions?search=${encodeURIComponent('{"tool":"SEARCH"')}`)).total).toBe(36);
    expect((await get("/api/decisions?search=run%2011")).total).toBe(3);
    expect((await get("/api/decisions?search=elsewhere")).total).toBe(0);
  });

  it("finds a choice that was sent in escapes", async () => {
    const raw = JSON.stringify({ traces: [trace({ decisionPoints: [decision({ chosen: "@" })] })] }).replace(
      '"@"',
      '"caf\\u00e9"',
    );
    await fetch(`${booted.client.url}/api/traces`, {
      method: "POST",
      body: raw,
      headers: { authorization: `Bearer ${other.key}` },
    });
    const found = await other.get(`/api/decisions?search=${encodeURIComponent("café")}`);
    expect(found.json.total).toBe(1);
    expect(found.text).toContain('"chosen":"caf\\u00e9"');
  });

  it("follows a trace that is renamed", async () => {
    const sent = trace({ name: "before", decisionPoints: [decision()] });
    await other.send([sent]);
    await other.send([{ ...sent, name: "afterwards" }]);
    expect((await other.get("/api/decisions?search=before")).json.total).toBe(0);
    expect((await other.get("/api/decisions?search=afterwards")).json.total).toBe(1);
  });

  it.each([
    [
      "type=GUESS",
      "Invalid type. Must be one of: TOOL_SELECTION, ROUTING, RETRY, ESCALATION, MEMORY_RETRIEVAL, PLANNING, CUSTOM",
    ],
    ["sort=longest", "Invalid sort. Must be one of: newest, oldest, costliest"],
    ["page=0", "Invalid page parameter. Must be a positive integer."],
  ])("%s is 400", async (query, error) => {
    const answer = await user.get(`/api/decisions?${query}`);
    expect([answer.status, answer.json]).toEqual([400, { error }]);
  });
});

describe("GET /api/sessions", () => {
  it("sums up the caller's traces of one sessionId, the session last active first", async () => {
    const page = await get("/api/sessions");
    expect(page).toMatchObject({ total: 2, page: 1, limit: 20, totalPages: 1 });
    expect(page.sessions.map((one: { sessionId: string }) => one.sessionId)).toEqual([
      "session-b",
      "session-a",
    ]);
    const session = page.sessions[1];
    expect(session).toEqual({
      sessionId: "session-a",
      traceCount: 4,
      totalCost: expect.closeTo(0.06),
      totalTokens: null,
      totalDuration: 6,
      firstStartedAt: at(0),
      lastStartedAt: at(3),
      status: "ERROR",
    });
    expect(await get("/api/sessions/session-a")).toEqual({ ...session, totalCost: expect.closeTo(0.06) });
    expect((await get("/api/sessions?page=2&limit=1")).sessions).toMatchObject([{ sessionId: "session-a" }]);
    expect((await user.get("/api/sessions/nothing")).status).toBe(404);
  });
});

describe("the queries", () => {
  const paths = [
    ...["newest", "oldest", "longest", "shortest", "costliest"].flatMap((sort) => [
      `/api/traces?sort=${sort}`,
      `/api/traces?sort=${sort}&page=200`,
    ]),
    "/api/traces?status=ERROR",
    "/api/traces?search=needle",
    "/api/traces?sessionId=session-7",
    "/api/traces?tags=rare",
    "/api/traces?dateFrom=2026-01-01",
    "/api/decisions",
    "/api/decisions?type=ROUTING",
    "/api/decisions?sort=costliest",
    "/api/decisions?search=needle",
    "/api/sessions",
    "/api/sessions/session-7",
  ];

  it("never walk over another tenant's rows", async () => {
    const { client, db } = await boot();
    const [big, small] = [await newSender(client, db), await newSender(client, db)];
    for (const tenant of [big, small])
      for (let batch = 0; batch < 4; batch += 1)
        await tenant.send(
          Array.from({ length: 1_000 }, (_, i) =>
            trace({
              name: i === 1 ? "needle" : "hay",
              sessionId: `session-${i}`,
              tags: [i === 1 ? "rare" : "common"],
              spans: [span()],
              events: [event()],
              decisionPoints: [decision({ type: "ROUTING" })],
            }),
          ),
        );
    await sql`vacuum analyze`.execute(db);
    const scans = async () => {
      const { rows } = await sql<{ relname: string; seqScan: number }>`
        select relname, seq_scan from pg_stat_user_tables
        where relname in ('traces', 'decision_points', 'spans', 'events', 'trace_owners') order by relname`.execute(
        db,
      );
      return rows;
    };
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const before = await scans();
    for (const path of paths) expect((await small.get(path)).status).toBe(200);
    await small.get(`/api/traces/${(await small.get("/api/traces?limit=1")).json.traces[0].id}`);
    await small.send([trace({ spans: [span()] })]);
    // The server's connections report their statistics at the latest a second after their last query.
    await new Promise((later) => setTimeout(later, 1_200));
    await Promise.all(Array.from({ length: 10 }, () => small.get("/api/auth/session")));
    expect(await scans()).toEqual(before);
  });
});
