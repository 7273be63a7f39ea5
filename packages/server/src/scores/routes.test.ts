import { randomUUID } from "node:crypto";
import type { Score, ScoreList } from "@whytrace/contract/schemas/scores";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

type Fields = Record<string, unknown>;
const newUser = () => newSender(client, db);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const score = (fields: Fields = {}): Fields => ({ traceId: "t", name: "helpful", value: true, ...fields });
/** Sends scores with the user's key and without the cookie. */
const post = (user: Sender, scores: unknown[], headers = bearer(user.key)) =>
  new Client(client.url).request("POST", "/api/scores", { body: { scores }, headers });
const store = async (user: Sender, ...scores: unknown[]): Promise<string[]> =>
  expectStatus(await post(user, scores), 200).json.ids;
const list = async (user: Sender, query = ""): Promise<ScoreList> =>
  expectStatus(await user.get(`/api/scores?${query}`), 200).json;
const get = async (user: Sender, id: string): Promise<Score> =>
  expectStatus(await user.get(`/api/scores/${encodeURIComponent(id)}`), 200).json;
async function newTrace(user: Sender, fields: Fields = {}) {
  const sent = trace(fields);
  expectStatus(await user.send([sent]), 200);
  return sent;
}
const scoreCount = async (traceId: string) => {
  const { rows } = await sql<{ count: number }>`
    select score_count as count from traces where id = ${traceId}`.execute(db);
  return rows[0]?.count;
};

describe("a score", () => {
  it("comes back as it was sent, with what the server adds", async () => {
    const user = await newUser();
    const { id: traceId } = await newTrace(user, { spans: [span({ id: "s1" })] });
    const sent = {
      id: "mine",
      traceId,
      spanId: "s1",
      name: "relevance",
      value: 0.25,
      label: "not relevant",
      comment: "off topic",
      source: "judge",
      author: "judge@1",
      timestamp: "2026-01-02T03:04:06.000Z",
      metadata: { model: "m", large: 9007199254740991, nested: [1, "ü", null] },
    };
    await store(user, sent);
    expect(await get(user, "mine")).toEqual({
      ...sent,
      decisionId: null,
      kind: "number",
      isWaiting: false,
      createdAt: expect.any(String),
    });
    expect(await scoreCount(traceId)).toBe(1);
  });

  it.each([
    [true, "boolean"],
    [false, "boolean"],
    [-1e300, "number"],
    [0, "number"],
    ["fine", "label"],
    ["true", "label"],
  ])("with the value %j is of the kind %s", async (value, kind) => {
    const user = await newUser();
    const [id = ""] = await store(user, score({ value }));
    expect(await get(user, id)).toMatchObject({ value, kind, label: null, source: "code", author: null });
  });

  it("of a member is that person's, whatever the body says; if a key is sent too, the key counts", async () => {
    const user = await newUser();
    const body = { scores: [score({ source: "code", author: "somebody" })] };
    expectStatus(await user.post("/api/scores", body), 200);
    expectStatus(await user.request("POST", "/api/scores", { body, headers: bearer(user.key) }), 200);
    const given = (await list(user)).scores.map(({ source, author }) => [source, author]);
    expect(given.sort()).toEqual([
      ["code", "somebody"],
      ["person", user.userId],
    ]);
  });

  it("of a member is refused from another site", async () => {
    const user = await newUser();
    const headers = { origin: "https://evil.example" };
    const response = await user.request("POST", "/api/scores", { body: { scores: [score()] }, headers });
    expect(response.status).toBe(403);
    expect((await list(user)).total).toBe(0);
  });

  it("is stored with all others of its request, or none of them is", async () => {
    const user = await newUser();
    const response = await post(user, [score(), score({ name: "x".repeat(201) })]);
    expect([response.status, response.json]).toEqual([
      400,
      { error: "Invalid score name: must have at most 200 bytes" },
    ]);
    expect((await list(user)).total).toBe(0);
  });

  it("is refused in words for hostile values, and never fails the server", async () => {
    const user = await newUser();
    const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
    const raw = (text: string) =>
      new Client(client.url).request("POST", "/api/scores", { raw: text, headers: bearer(user.key) });
    for (const [field, error] of [
      [`"source":{"toString":1}`, 'Invalid score source: {"toString":1}'],
      [`"source":${deep}`, "Request body must be at most 256 levels deep"],
      [`"metadata":{"a":${deep}}`, "Request body must be at most 256 levels deep"],
      [`"metadata":"{}"`, "Invalid score metadata: must be an object or null"],
      [`"value":1e999`, "Invalid score value: must be a finite number"],
      [`"value":"a\\u0000"`, "Invalid score value: must not contain NUL or a lone surrogate"],
      [`"author":"\\ud800"`, "Invalid score author: must not contain NUL or a lone surrogate"],
      [`"timestamp":"2026-02-30"`, "Invalid score timestamp: must be an ISO date string or null"],
      [`"timestamp":1`, "Invalid score timestamp: must be an ISO date string or null"],
    ]) {
      const response = await raw(`{"scores":[{"traceId":"t","name":"n","value":1,${field}}]}`);
      expect([field, response.status, response.json]).toEqual([field, 400, { error }]);
    }
    const odd = `{"scores":[{"id":"odd","traceId":"t","name":"__proto__","value":1,"comment":"a\\u0000\\ud800b",
      "metadata":{"a":"\\u0000","a":1e400}}]}`;
    expectStatus(await raw(odd), 200);
    const text = (await user.get("/api/scores/odd")).text;
    expect(text).toContain('"metadata":{"a":"\\u0000","a":1e400}');
    expect(text).toContain('"comment":"a\ufffd\ufffdb"');
  });

  it("is read in another thread if the body is large", async () => {
    const user = await newUser();
    const metadata = { text: "x".repeat(16_000) };
    const scores = Array.from({ length: 100 }, (_, n) => score({ id: `s${n}`, traceId: `t${n}`, metadata }));
    expect(await store(user, ...scores)).toEqual(scores.map(({ id }) => id));
    expect((await list(user)).total).toBe(100);
  });
});

describe("scores with one id", () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();

  it("leave the one with the later timestamp, in every order, alone and together", async () => {
    const versions = [1, 2, 3].map((n) => score({ id: "x", value: n, timestamp: at(n) }));
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const [alone, together] = [await newUser(), await newUser()];
      for (const index of order) await store(alone, versions[index]);
      await store(together, ...order.map((index) => versions[index]));
      expect([(await get(alone, "x")).value, (await get(together, "x")).value]).toEqual([3, 3]);
    }
  });

  it("and one timestamp leave the same one whichever came first", async () => {
    const versions = ["a", "b", "c"].map((value) => score({ id: "x", value, timestamp: at(1) }));
    const [one, two, three] = [await newUser(), await newUser(), await newUser()];
    for (const version of versions) await store(one, version);
    for (const version of versions.toReversed()) await store(two, version);
    await store(three, ...versions);
    const [first, second, third] = [await get(one, "x"), await get(two, "x"), await get(three, "x")];
    expect([second.value, third.value]).toEqual([first.value, first.value]);
  });

  it("replace each other when they are sent one after another without a timestamp", async () => {
    const user = await newUser();
    for (const value of [1, 2, 3, 2]) {
      const [id = ""] = await store(user, score({ value }));
      expect(await get(user, id)).toMatchObject({ value });
    }
    expect((await list(user)).total).toBe(1);
  });

  it("can be replaced although their clock was years ahead", async () => {
    const user = await newUser();
    await store(user, score({ id: "x", value: 1, timestamp: "2999-01-01T00:00:00Z" }));
    expect(Math.abs(Date.parse((await get(user, "x")).timestamp) - Date.now())).toBeLessThan(3_600_000);
    await store(user, score({ id: "x", value: 2 }));
    expect((await get(user, "x")).value).toBe(2);
  });

  it("move to another trace, and both traces are counted again", async () => {
    const user = await newUser();
    const [one, two] = [await newTrace(user), await newTrace(user)];
    await store(user, score({ id: "x", traceId: one.id, timestamp: at(1) }), score({ traceId: one.id }));
    expect([await scoreCount(one.id), await scoreCount(two.id)]).toEqual([2, 0]);
    await store(user, score({ id: "x", traceId: two.id, timestamp: at(2) }));
    expect([await scoreCount(one.id), await scoreCount(two.id)]).toEqual([1, 1]);
    await store(user, score({ id: "x", traceId: "none", timestamp: at(3) }));
    expect([await scoreCount(one.id), await scoreCount(two.id)]).toEqual([1, 0]);
    expect((await get(user, "x")).isWaiting).toBe(true);
  });

  it("sent at the same time to different traces leave the newest one, and every trace is counted right", async () => {
    const user = await newUser();
    const traces = await Promise.all([1, 2, 3, 4].map(() => newTrace(user)));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store(user, score({ id: `x${n % 3}`, traceId: traces[n % 4]?.id, value: n, timestamp: at(n) })),
      ),
    );
    expect((await list(user)).scores.map(({ id, value }) => [id, value]).sort()).toEqual([
      ["x0", 39],
      ["x1", 37],
      ["x2", 38],
    ]);
    expect(await Promise.all(traces.map(({ id }) => scoreCount(id)))).toEqual([0, 1, 1, 1]);
  });
});

describe("a score without a trace", () => {
  it("waits, and counts when the trace comes", async () => {
    const user = await newUser();
    const traceId = randomUUID();
    const [id = ""] = await store(user, score({ traceId }));
    expect((await get(user, id)).isWaiting).toBe(true);
    await newTrace(user, { id: traceId });
    await expect.poll(async () => (await get(user, id)).isWaiting, { timeout: 30_000 }).toBe(false);
    expect(await scoreCount(traceId)).toBe(1);
  });

  it("that came long ago is found, too, also by a server that has just started", async () => {
    const user = await newUser();
    const [first, second] = [randomUUID(), randomUUID()];
    const ids = await store(user, score({ traceId: first }), score({ traceId: second }));
    await sql`
      update scores set created_at = now() - interval '3 days' where workspace_id = ${user.workspaceId}`.execute(
      db,
    );
    for (const [index, traceId] of [first, second].entries()) {
      await newTrace(user, { id: traceId });
      await expect
        .poll(async () => (await get(user, ids[index] ?? "")).isWaiting, { timeout: 30_000 })
        .toBe(false);
    }
  });

  it("is not taken for one about a later trace with the same id", async () => {
    const user = await newUser();
    const { id: traceId } = await newTrace(user, { startedAt: new Date().toISOString() });
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    await store(
      user,
      score({ id: "old", traceId, timestamp: days(31) }),
      score({ id: "new", traceId, timestamp: days(29) }),
    );
    expect([(await get(user, "old")).isWaiting, (await get(user, "new")).isWaiting]).toEqual([true, false]);
    expect(await scoreCount(traceId)).toBe(1);
  });

  it("is refused when 100,000 wait, and those that wait already can still change", async () => {
    const user = await newUser();
    const { id: traceId } = await newTrace(user);
    await sql`
      insert into scores (workspace_id, id, trace_id, name, source, kind, number, timestamp, digest, origin, is_waiting)
      select ${user.workspaceId}::uuid, 'w' || n, 'w' || n, 'n', 2, 0, 1, '2026-01-01', 0, 0, true
      from generate_series(1, 99999) as n`.execute(db);
    await store(user, score({ id: "last", traceId: "none" }));
    const refused = await post(user, [score({ id: "more", traceId: "none" }), score({ traceId })]);
    expect([refused.status, refused.json, refused.headers.get("retry-after")]).toEqual([
      429,
      { error: "Too many scores wait for their traces (100000)" },
      "3600",
    ]);
    await store(user, score({ id: "last", traceId: "none", value: false }), score({ traceId }));
    expect((await list(user)).total).toBe(100_001);
  });
});

describe("a trace", () => {
  it("has at most 1,000 scores; then nothing of a request is stored", async () => {
    const user = await newUser();
    const { id: traceId } = await newTrace(user);
    const many = Array.from({ length: 1_000 }, (_, n) => score({ id: `s${n}`, traceId }));
    await store(user, ...many);
    for (const place of [traceId, "none"]) {
      if (place === "none")
        await store(user, ...many.map((one) => ({ ...one, id: `w${one.id}`, traceId: "none" })));
      const response = await post(user, [score({ id: "other" }), score({ id: "more", traceId: place })]);
      expect([response.status, response.json]).toEqual([
        409,
        { error: `Score limit of trace ${place} reached (1000)` },
      ]);
    }
    expect((await list(user)).total).toBe(2_000);
    await store(user, score({ id: "s1", traceId, value: false }));
    expect((await get(user, "s1")).value).toBe(false);
  });

  it("keeps its scores when it is sent again, and takes them with it when it is deleted, also those that wait", async () => {
    const user = await newUser();
    const sent = await newTrace(user);
    await store(user, score({ id: "a", traceId: sent.id }));
    const old = new Date(Date.parse(sent.startedAt) - 40 * 86_400_000).toISOString();
    await store(user, score({ id: "b", traceId: sent.id, timestamp: old }));
    expect((await get(user, "b")).isWaiting).toBe(true);
    await user.send([{ ...sent, name: "another" }]);
    expect([(await list(user)).total, await scoreCount(sent.id)]).toEqual([2, 1]);
    expectStatus(await user.delete(`/api/traces/${sent.id}`), 200);
    expect((await list(user)).total).toBe(0);
    await store(user, score({ id: "a", traceId: sent.id }));
    expect((await get(user, "a")).isWaiting).toBe(true);
  });

  it("that is deleted while scores come leaves none that counts for nobody", async () => {
    const user = await newUser();
    const sent = await newTrace(user);
    const stored = Array.from({ length: 20 }, (_, n) =>
      store(user, score({ id: `s${n}`, traceId: sent.id })),
    );
    await user.delete(`/api/traces/${sent.id}`);
    await Promise.all(stored);
    const { scores } = await list(user, "limit=100");
    expect(scores.every(({ isWaiting }) => isWaiting)).toBe(true);
  });
});

describe("reading scores", () => {
  it("is done with a session or a key that reads; a score is taken back with a session or a review key", async () => {
    const user = await newUser();
    const newKey = async (scope: string): Promise<string> =>
      expectStatus(await user.post("/api/keys", { name: scope, scope }), 201).json.key;
    const [read, review] = [await newKey("read"), await newKey("review")];
    await store(user, score({ id: "a" }), score({ id: "b", name: "b" }));
    const anonymous = new Client(client.url);
    const call = async (method: string, path: string, key: string) =>
      (await anonymous.request(method, path, { headers: bearer(key) })).status;
    expect(await call("GET", "/api/scores", user.key)).toBe(403);
    expect(await call("GET", "/api/scores/a", read)).toBe(200);
    for (const key of [user.key, read]) expect(await call("DELETE", "/api/scores/a", key)).toBe(403);
    expect(await call("DELETE", "/api/scores/a", review)).toBe(200);
    expectStatus(await user.delete("/api/scores/b"), 200);
    const gone = await user.delete("/api/scores/b");
    expect([gone.status, gone.json]).toEqual([404, { error: "Score not found" }]);
  });

  it("does not take back a score that its trace carries", async () => {
    const user = await newUser();
    await store(user, score({ id: "carried" }));
    await sql`update scores set origin = 1 where workspace_id = ${user.workspaceId}`.execute(db);
    const response = await user.delete("/api/scores/carried");
    expect([response.status, response.json]).toEqual([409, { error: "This score is part of its trace" }]);
  });

  it("filters by agent, masked or not", async () => {
    const user = await newUser();
    const [one, two] = [
      await newTrace(user, { name: "order 4711" }),
      await newTrace(user, { name: "refund" }),
    ];
    await store(user, score({ traceId: one.id }), score({ traceId: two.id }), score({ traceId: "none" }));
    const traceIds = async (agent: string) =>
      (await list(user, `agent=${encodeURIComponent(agent)}`)).scores.map(({ traceId }) => traceId);
    expect([await traceIds("order 1234"), await traceIds("order #"), await traceIds("refund")]).toEqual([
      [one.id],
      [one.id],
      [two.id],
    ]);
    const { names } = (await user.get("/api/scores/names?agent=refund")).json;
    expect(names).toMatchObject([{ name: "helpful", scores: 1, runs: 1 }]);
  });

  it("lists at most 500 names, and says that there are more", async () => {
    const user = await newUser();
    const named = (count: number) =>
      Array.from({ length: count }, (_, n) => score({ name: `n${String(n).padStart(3, "0")}` }));
    await store(user, ...named(500));
    expect((await user.get("/api/scores/names")).json).toMatchObject({ isTruncated: false });
    await store(user, score({ name: "zzz" }));
    const { names, isTruncated } = (await user.get("/api/scores/names")).json;
    expect([names.length, names.at(-1).name, isTruncated]).toEqual([500, "n499", true]);
  });

  it("follows one name day by day: who was asked, who answered, and what they said", async () => {
    const user = await newUser();
    const send = (metadata: object | null, status = "COMPLETED") =>
      newTrace(user, { name: "bot", status, metadata, startedAt: "2026-01-02T03:04:05.678Z" });
    const asked = { "whytrace.feedback": ["helpful"] };
    const traces = [
      await send(asked),
      await send(asked),
      await send(null),
      await send({ "whytrace.feedback": ["other"] }),
    ];
    await send(asked, "RUNNING");
    await newTrace(user, { name: "another", startedAt: "2026-01-03T03:04:05.678Z" });
    await store(
      user,
      score({ traceId: traces[0]?.id, value: true }),
      score({ traceId: traces[2]?.id, value: false }),
      score({ traceId: traces[3]?.id, name: "other" }),
    );
    const series = async (query: string) =>
      (await user.get(`/api/scores/series?name=helpful&from=2026-01-01&to=2026-01-05&${query}`)).json.days;
    expect(await series("agent=bot")).toEqual([
      {
        day: "2026-01-02",
        runs: 4,
        answered: 2,
        asked: 2,
        silent: 1,
        mean: 0.5,
        low: expect.any(Number),
        high: expect.any(Number),
        bad: 1,
      },
    ]);
    expect(await series("")).toMatchObject([{ runs: 4 }, { runs: 1, answered: 0, mean: null, low: null }]);
    expect((await user.get("/api/scores/series")).json).toEqual({ error: "name is required" });
  });

  it("summarises each name: runs, what they say, by whom, day by day; and where judges and users differ", async () => {
    const user = await newUser();
    const day = (n: number) => `2026-01-0${n}T03:04:05.678Z`;
    const ids = [];
    for (const n of [2, 2, 3, 3])
      ids.push((await newTrace(user, { name: "bot 1234", startedAt: day(n) })).id);
    const running = await newTrace(user, { name: "bot 1234", status: "RUNNING", startedAt: day(3) });
    const outside = await newTrace(user, { name: "bot 1234", startedAt: "2025-11-01T00:00:00.000Z" });
    const [one, two, three] = ids;
    await store(
      user,
      score({ traceId: one, value: false, source: "user", author: "a" }),
      score({ traceId: one, value: true, source: "user", author: "b" }),
      score({ traceId: three, value: true, source: "user" }),
      score({ traceId: one, name: "correct", value: 0.9, label: "pass", source: "judge", author: "j@1" }),
      score({ traceId: two, name: "correct", value: 0.5, label: "pass", source: "judge", author: "j@1" }),
      score({ traceId: three, name: "correct", value: 0.1, label: "fail", source: "judge", author: "j@2" }),
      score({ traceId: running.id }),
      score({ traceId: outside.id }),
      score({ traceId: "waiting" }),
    );
    const query = "from=2026-01-01&to=2026-01-05&agent=bot%20%23";
    const { json } = expectStatus(await user.get(`/api/scores/summary?${query}`), 200);
    expect(json).toMatchObject({
      ...{ from: "2026-01-01T00:00:00.000Z", to: "2026-01-05T00:00:00.000Z" },
      ...{ runs: 4, scoredRuns: 3, isTruncated: false },
      judgesAndUsers: {
        runs: 2,
        differ: 2,
        examples: [{ traceId: three, name: "bot 1234" }, { traceId: one }],
      },
    });
    const [correct, helpful] = json.names;
    expect(correct).toMatchObject({
      ...{
        name: "correct",
        kinds: ["number"],
        sources: ["judge"],
        runs: 3,
        said: 3,
        bad: 1,
        min: 0.1,
        max: 0.9,
      },
      days: [
        { day: "2026-01-02", runs: 2, bad: 0, mean: 0.7 },
        { day: "2026-01-03", runs: 1, bad: 1, mean: 0.1 },
      ],
    });
    expect([correct.mean, (correct.low + correct.high) / 2]).toEqual([
      expect.closeTo(0.5),
      expect.closeTo(0.5),
    ]);
    // Student's t for three runs: a little over 4 standard errors.
    expect(correct.high - correct.mean).toBeCloseTo(1, 0);
    // Each run counts once, with what its users say on average.
    expect(helpful).toMatchObject({
      name: "helpful",
      sources: ["user"],
      runs: 2,
      said: 2,
      bad: 1,
      mean: 0.75,
    });
    const all = (await user.get("/api/scores/summary?from=2026-01-01&to=2026-01-05&agent=other")).json;
    expect([all.runs, all.names]).toEqual([0, []]);
  });

  it("counts what was said under a name, cuts numbers at three places, and lists the judges of runs", async () => {
    const user = await newUser();
    const given = Array.from({ length: 24 }, (_, index) => index / 24);
    const traces = given.map(() =>
      trace({ name: "bot", spans: [span({ id: "s" })], startedAt: new Date().toISOString() }),
    );
    expectStatus(await user.send(traces), 200);
    const correct = { name: "correct", source: "judge", author: "j@1" };
    await store(
      user,
      ...given.map((value, index) => score({ ...correct, traceId: traces[index]?.id, value })),
      score({ ...correct, traceId: traces[0]?.id, spanId: "s", author: "j@span", value: 1 }),
      score({ ...correct, traceId: traces[0]?.id, author: null, value: 1, label: "fail" }),
      ...given.map((value, index) => score({ traceId: traces[index]?.id, value: value > 0.2 })),
      ...given.map((value, index) =>
        score({ traceId: traces[index]?.id, name: "stars", value: value > 0.2 ? 4 : 1 }),
      ),
    );
    const values = async (name: string, query = "") =>
      expectStatus(await user.get(`/api/scores/values?name=${name}&${query}`), 200).json;
    expect(await values("correct")).toEqual({
      runs: 24,
      values: [{ value: "fail", runs: 1, isBad: true }],
      numbers: {
        ...{ min: 0, max: 1 },
        cuts: [
          { below: 0.25, runs: 6 },
          { below: 0.5, runs: 12 },
          { below: 0.75, runs: 18 },
        ],
      },
      judges: [
        { author: "j@1", runs: 24, lastAt: expect.any(String) },
        { author: null, runs: 1, lastAt: expect.any(String) },
      ],
    });
    expect(await values("helpful")).toMatchObject({
      values: [
        { value: "true", runs: 19, isBad: false },
        { value: "false", runs: 5, isBad: true },
      ],
      numbers: null,
    });
    expect(await values("stars")).toMatchObject({
      values: [
        { value: "4", runs: 19, isBad: false },
        { value: "1", runs: 5, isBad: false },
      ],
      numbers: {
        cuts: [
          { below: 2, runs: 5 },
          { below: 3, runs: 5 },
          { below: 4, runs: 5 },
        ],
      },
    });
    expect((await values("stars", "agent=other")).runs).toBe(0);
    expect((await user.get("/api/scores/values")).json).toEqual({ error: "name is required" });
  });

  it("exports all of them, oldest first, a line each, whatever white space was sent", async () => {
    const user = await newUser();
    const at = (n: number) => new Date(Date.UTC(2026, 0, 2) + (n % 700) * 1000).toISOString();
    await store(
      user,
      ...Array.from({ length: 999 }, (_, n) => score({ id: `s${n}`, traceId: `t${n}`, timestamp: at(n) })),
    );
    expectStatus(
      await new Client(client.url).request("POST", "/api/scores", {
        raw: `{"scores":[${JSON.stringify(score({ id: "spaced", timestamp: at(0), metadata: { n: 1 } })).replace('"n":', '"n":\n\r')}]}`,
        headers: bearer(user.key),
      }),
      200,
    );
    const response = await user.get("/api/scores/export");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const lines: Score[] = response.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([lines.length, new Set(lines.map(({ id }) => id)).size]).toEqual([1_000, 1_000]);
    expect(lines.map(({ timestamp }) => timestamp)).toEqual(lines.map(({ timestamp }) => timestamp).sort());
    expect(lines.find(({ id }) => id === "spaced")).toEqual(await get(user, "spaced"));
  });
});
