import { createHash } from "node:crypto";
import { type FeedbackToken, feedbackSecret, mintFeedbackToken, readFeedbackToken } from "@whytrace/contract";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

let booted: Booted;
beforeAll(async () => {
  booted = await boot();
});

const newUser = () => newSender(booted.client, booted.db);
const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600;
/** As the SDK does it. */
const mint = (key: string, fields: Partial<FeedbackToken> = {}) =>
  mintFeedbackToken(feedbackSecret(createHash("sha256").update(key).digest()), {
    traceId: "t",
    name: "helpful",
    max: 0,
    author: "",
    expiresAtSeconds: inAnHour(),
    ...fields,
  });

const PAGE = { origin: "https://shop.example", "content-type": "text/plain;charset=UTF-8" };
const INVALID = { error: "Invalid or expired feedback token" };

async function post(body: string, headers: Record<string, string> = PAGE, { url } = booted.server) {
  const response = await fetch(`${url}/api/feedback`, { method: "POST", body, headers });
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
}
const vote = (body: unknown, headers?: Record<string, string>) => post(JSON.stringify(body), headers);
const scoresOf = async (user: Sender) => (await user.get("/api/scores")).json.scores;
const newKey = async (user: Sender, fields: object = {}) =>
  (await user.post("/api/keys", { name: "another", ...fields })).json;

describe("a vote", () => {
  it("becomes a score of the token's author, on its trace, as source user", async () => {
    const user = await newUser();
    const sent = trace();
    await user.send([sent]);
    const token = mint(user.key, { traceId: sent.id, author: "visitor-7" });
    const { status, json } = await vote({ token, value: false, comment: "did not help\0" });
    expect([status, json]).toEqual([200, { success: true }]);
    expect(await scoresOf(user)).toMatchObject([
      {
        traceId: sent.id,
        spanId: null,
        name: "helpful",
        value: false,
        source: "user",
        author: "visitor-7",
        comment: "did not help\uFFFD",
        isWaiting: false,
      },
    ]);
  });

  it("replaces the earlier one of the same token, and null takes it back, also if there is none", async () => {
    const user = await newUser();
    const token = mint(user.key);
    await user.post(
      "/api/scores",
      { scores: [{ traceId: "t", name: "helpful", value: false, source: "judge" }] },
      { headers: { authorization: `Bearer ${user.key}` } },
    );
    for (const value of [false, true]) expect((await vote({ token, value })).status).toBe(200);
    const values = async () =>
      (await scoresOf(user)).map((one: { source: string; value: unknown }) => `${one.source} ${one.value}`);
    expect((await values()).toSorted()).toEqual(["judge false", "user true"]);
    for (let count = 0; count < 2; count++) expect((await vote({ token, value: null })).status).toBe(200);
    expect(await values()).toEqual(["judge false"]);
  });

  it("and its withdrawal at the same time both succeed, and leave at most one score", async () => {
    const user = await newUser();
    const sent = trace();
    await user.send([sent]);
    const token = mint(user.key, { traceId: sent.id });
    const votes = Array.from({ length: 24 }, (_, index) =>
      vote({ token, value: [true, null, false][index % 3] }),
    );
    for (const { status } of await Promise.all(votes)) expect(status).toBe(200);
    expect((await scoresOf(user)).length).toBeLessThanOrEqual(1);
  });

  it("has values within the token's bound and a comment of at most 2,000 characters", async () => {
    const user = await newUser();
    const [thumb, stars] = [mint(user.key), mint(user.key, { name: "stars", max: 5 })];
    for (const value of [1, 0, "true", undefined, {}, []])
      expect((await vote({ token: thumb, value })).json).toEqual({
        error: "Invalid value. Must be true, false or null",
      });
    for (const value of [5.001, -0.001, true, "5", undefined])
      expect((await vote({ token: stars, value })).json).toEqual({
        error: "Invalid value. Must be a number from 0 to 5 or null",
      });
    for (const value of [0, 4.5, 5]) expect((await vote({ token: stars, value })).status).toBe(200);
    for (const comment of ["x".repeat(2_001), 7, {}])
      expect((await vote({ token: thumb, value: true, comment })).json).toEqual({
        error: "Invalid comment. Must have at most 2000 characters",
      });
    for (const comment of ["x".repeat(2_000), "😀".repeat(1_500), "", null, "\ud800"])
      expect((await vote({ token: thumb, value: true, comment })).status).toBe(200);
  });

  it("answers the first fault: size, JSON, token, its validity, comment, value", async () => {
    const { key } = await newUser();
    const token = mint(key);
    const long = "x".repeat(2_001);
    const cases: [string, number, string][] = [
      [`{${" ".repeat(8_192)}`, 413, "Request body too large (max 8KB)"],
      ["{", 400, "Invalid JSON in request body"],
      ["", 400, "Invalid JSON in request body"],
      ["null", 400, "Request body must contain a 'token' string"],
      ["[]", 400, "Request body must contain a 'token' string"],
      [JSON.stringify({ token: 7, value: 7, comment: 7 }), 400, "Request body must contain a 'token' string"],
      [JSON.stringify({ token: "wf_", value: 7, comment: long }), 401, INVALID.error],
      [
        JSON.stringify({ token, value: 7, comment: long }),
        400,
        "Invalid comment. Must have at most 2000 characters",
      ],
      [JSON.stringify({ token, value: 7 }), 400, "Invalid value. Must be true, false or null"],
    ];
    for (const [body, status, error] of cases) {
      const response = await post(body);
      expect([response.status, response.json]).toEqual([status, { error }]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
    const exact = JSON.stringify({ token, value: true });
    expect((await post(exact + " ".repeat(8_192 - exact.length))).status).toBe(200);
  });

  it("tells nothing about the trace, not even if it has no room for another score", async () => {
    const user = await newUser();
    const sent = trace();
    await user.send([sent]);
    const scores = Array.from({ length: 1_000 }, (_, index) => ({
      traceId: sent.id,
      name: `n${index}`,
      value: index,
    }));
    expect((await user.post("/api/scores", { scores })).status).toBe(200);
    const answers = [];
    for (const traceId of [sent.id, "unknown"])
      answers.push(await vote({ token: mint(user.key, { traceId }), value: true }));
    const [known, unknown] = answers.map(({ status, headers, json }) => ({
      status,
      json,
      headers: [...headers.keys()].toSorted(),
    }));
    expect(known).toEqual(unknown);
    expect(known?.status).toBe(200);
  });
});

describe("a page of any origin", () => {
  it("may vote without a preflight request, and reads the response; no cookie is read", async () => {
    const user = await newUser();
    const token = mint(user.key);
    for (const headers of [
      PAGE,
      { origin: "null" },
      { ...PAGE, "content-type": "application/json" },
      { ...PAGE, "content-type": "nonsense" },
      { ...PAGE, cookie: user.cookie ?? "", "sec-fetch-site": "cross-site" },
    ]) {
      const response = await vote({ token, value: true }, headers);
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-credentials")).toBe(null);
      expect(response.headers.get("set-cookie")).toBe(null);
    }
  });

  it("is told by OPTIONS what it may send", async () => {
    const response = await fetch(`${booted.server.url}/api/feedback`, {
      method: "OPTIONS",
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, x-other",
      },
    });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "86400",
    });
    expect(response.headers.get("access-control-allow-credentials")).toBe(null);
  });

  it("cannot vote by GET, and gets no other route opened", async () => {
    const { key } = await newUser();
    const token = mint(key);
    const { url } = booted.server;
    expect((await fetch(`${url}/api/feedback?token=${token}&value=true`)).status).toBe(404);
    const other = await fetch(`${url}/api/scores`, { headers: { origin: "https://shop.example" } });
    expect(other.headers.get("access-control-allow-origin")).toBe(null);
  });
});

describe("a token", () => {
  it("that is changed, expired, nonsense or of a key that may not mint gets the same 401", async () => {
    const user = await newUser();
    const token = mint(user.key);
    const bytes = Buffer.from(token.slice(3), "base64url");
    const changed = [0, 1, 2, 6, 13, 14, 15, 20, bytes.length - 17, bytes.length - 16, bytes.length - 1].map(
      (at) => `wf_${Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ 1)).toString("base64url")}`,
    );
    const { key: readKey } = await newKey(user, { scope: "read" });
    const { key: reviewKey } = await newKey(user, { scope: "review" });
    const now = Math.floor(Date.now() / 1_000);
    const wrong = [
      ...changed,
      ...[now, now - 5, 0].map((expiresAtSeconds) => mint(user.key, { expiresAtSeconds })),
      ...[readKey, reviewKey, "wt_unknown"].map((key) => mint(key)),
      ...["", "wf_", "x", user.key, token.slice(0, -4), `${token}A`, `${token}=`, `wf_${"A".repeat(4_000)}`],
    ];
    for (const one of wrong) {
      const { status, json } = await vote({ token: one, value: true });
      expect([one, status, json]).toEqual([one, 401, INVALID]);
    }
    expect(await scoresOf(user)).toEqual([]);
    expect((await vote({ token, value: true })).status).toBe(200);
  });

  it("ends with its key: revoked, expired, or deleted with the account", async () => {
    const user = await newUser();
    const revoked = await newKey(user);
    const expired = await newKey(user);
    const tokens = [mint(revoked.key), mint(expired.key, { name: "another" })];
    for (const token of tokens) expect((await vote({ token, value: true })).status).toBe(200);
    expect((await user.delete(`/api/keys/${revoked.id}`)).status).toBe(200);
    await sql`update api_keys set expires_at = now() where id = ${expired.id}`.execute(booted.db);
    for (const token of tokens) expect((await vote({ token, value: true })).json).toEqual(INVALID);
    const last = mint(user.key);
    expect((await vote({ token: last, value: true })).status).toBe(200);
    expect((await user.delete("/api/account", { password: PASSWORD })).status).toBe(200);
    expect((await vote({ token: last, value: true })).json).toEqual(INVALID);
  });

  it("that is used while its key is revoked leaves no vote after the revocation", async () => {
    const user = await newUser();
    const { id, key } = await newKey(user);
    const votes = Array.from({ length: 20 }, (_, index) =>
      vote({ token: mint(key, { name: `n${index}` }), value: true }),
    );
    await Promise.race(votes);
    await user.delete(`/api/keys/${id}`);
    const before = (await user.get("/api/scores?limit=1")).json.total;
    for (const { status } of await Promise.all(votes)) expect([200, 401]).toContain(status);
    expect((await user.get("/api/scores?limit=1")).json.total).toBe(before);
  });

  it("is no key: it neither reads nor sends", async () => {
    const { key } = await newUser();
    const headers = { authorization: `Bearer ${mint(key)}` };
    const stranger = new Client(booted.client.url);
    for (const path of ["/api/traces", "/api/scores"]) {
      expect((await stranger.get(path, { headers })).status).toBe(401);
      expect((await stranger.post(path, {}, { headers })).status).toBe(401);
    }
  });

  it("belongs to the workspace of its key: another one's trace of the same id is not judged", async () => {
    const [owner, stranger] = [await newUser(), await newUser()];
    const sent = trace();
    await owner.send([sent]);
    expect((await vote({ token: mint(stranger.key, { traceId: sent.id }), value: false })).status).toBe(200);
    expect(await scoresOf(owner)).toEqual([]);
    expect(await scoresOf(stranger)).toMatchObject([{ traceId: sent.id, isWaiting: true }]);
  });
});

describe("limits", () => {
  it("are per token and, twenty times as much, per client; refused votes and forged tokens do not count", async () => {
    const limited = await boot({ RATE_LIMIT_FEEDBACK: "2/1h" });
    const user = await newSender(limited.client, limited.db);
    const send = (token: string, value: unknown = true) =>
      post(JSON.stringify({ token, value }), PAGE, limited.server);
    const first = mint(user.key, { name: "first" });
    for (const value of ["wrong", 7, true, true]) await send(first, value);
    const refused = await send(first);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([429, "*"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    expect(refused.json.error).toMatch(/^Too many requests\. Try again in \d+ s\.$/);
    expect((await send(first, 7)).status).toBe(400);
    for (let count = 0; count < 50; count++) await send(`${first.slice(0, -1)}A`);
    const statuses = [];
    for (let count = 0; count < 39; count++)
      statuses.push((await send(mint(user.key, { name: `n${count}` }))).status);
    expect(statuses).toEqual([...Array(38).fill(200), 429]);
  });

  it("are 30 an hour for a token by default, also of votes at the same time", async () => {
    const { key } = await newUser();
    const token = mint(key, { name: "often" });
    const statuses = await Promise.all(
      Array.from({ length: 31 }, async () => (await vote({ token, value: true })).status),
    );
    expect(statuses.toSorted()).toEqual([...Array(30).fill(200), 429]);
  });
});

describe("POST /api/feedback-tokens", () => {
  const create = (user: Sender, body: unknown, key = user.key) =>
    user.post("/api/feedback-tokens", body, { headers: { authorization: `Bearer ${key}` } });

  it("mints what the SDK mints, and stores nothing", async () => {
    const user = await newUser();
    const { status, json } = await create(user, {
      traceId: "of python",
      name: "stars",
      max: 5,
      author: "u-1",
      expiresInSeconds: 60,
    });
    expect(status).toBe(201);
    const read = readFeedbackToken(json.token);
    expect(json).toEqual({
      token: mint(user.key, {
        traceId: "of python",
        name: "stars",
        max: 5,
        author: "u-1",
        expiresAtSeconds: read?.expiresAtSeconds ?? 0,
      }),
      expiresAt: new Date((read?.expiresAtSeconds ?? 0) * 1_000).toISOString(),
    });
    expect(Math.abs(Date.parse(json.expiresAt) - Date.now() - 60_000)).toBeLessThan(30_000);
    expect(await scoresOf(user)).toEqual([]);
    expect((await vote({ token: json.token, value: 4 })).status).toBe(200);
    expect(await scoresOf(user)).toMatchObject([{ name: "stars", value: 4, author: "u-1" }]);
    const { json: plain } = await create(user, { traceId: "t", name: "helpful" });
    expect(readFeedbackToken(plain.token)).toMatchObject({ max: 0, author: "" });
    expect(Math.abs(Date.parse(plain.expiresAt) - Date.now() - 7 * 86_400_000)).toBeLessThan(30_000);
  });

  it.each([
    {},
    { traceId: "t" },
    { name: "helpful" },
    { traceId: "", name: "helpful" },
    { traceId: "t", name: "" },
    { traceId: "t", name: "n".repeat(201) },
    { traceId: "t", name: "é".repeat(101) },
    { traceId: "t".repeat(1_025), name: "helpful" },
    { traceId: "t\0", name: "helpful" },
    { traceId: "t", name: "helpful", max: 0 },
    { traceId: "t", name: "helpful", max: 101 },
    { traceId: "t", name: "helpful", max: 1.5 },
    { traceId: "t", name: "helpful", author: "a".repeat(65) },
    { traceId: "t", name: "helpful", expiresInSeconds: 0 },
    { traceId: "t", name: "helpful", expiresInSeconds: 30 * 86_400 + 1 },
  ])("refuses %j", async (body) => {
    expect((await create(await newUser(), body)).status).toBe(400);
  });

  it("needs a key with the scope send", async () => {
    const user = await newUser();
    const body = { traceId: "t", name: "helpful" };
    expect((await user.post("/api/feedback-tokens", body)).status).toBe(401);
    expect((await create(user, body, "wt_unknown")).json).toEqual({ error: "Invalid API key" });
    for (const scope of ["read", "review"])
      expect((await create(user, body, (await newKey(user, { scope })).key)).status).toBe(403);
  });
});
