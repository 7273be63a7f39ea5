import { randomUUID } from "node:crypto";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { TestResponse } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { HttpError } from "./http-error.ts";
import { RateLimiter, type RateLimitWindow, sweepRateLimits } from "./rate-limit.ts";

let booted: Booted;
let limiter: RateLimiter;
beforeAll(async () => {
  booted = await boot();
  limiter = new RateLimiter(booted.db);
});

const statuses = (responses: TestResponse[]) => Object.groupBy(responses, (response) => response.status);
const newWindow = (limit: number, windowMs = 60_000) => ({
  name: "test",
  subject: randomUUID(),
  limit,
  windowMs,
});
const isAdmitted = (...windows: RateLimitWindow[]) =>
  limiter.admit(windows).then(
    () => true,
    () => false,
  );

const SECOND = 1_000;
/** Lets time pass for all windows: their calls were made earlier. */
const pass = (ms: number) =>
  sql`update rate_limit_hits set hit_at = hit_at - ${ms} * interval '1 millisecond'`.execute(booted.db);
/** How many seconds a refused call has to wait. */
const secondsToWait = async (...windows: RateLimitWindow[]) => {
  const refusal = await limiter.admit(windows).catch((error: unknown) => error);
  if (!(refusal instanceof HttpError)) throw new Error("the call was not refused");
  expect(refusal.status).toBe(429);
  return Number(refusal.headers["retry-after"]);
};

// The windows are so long that the time a test takes does not matter.
describe("a sliding window", () => {
  it("admits up to its limit, returns the time to wait, and admits one call as each old one expires", async () => {
    const window = newWindow(2, 10_000 * SECOND);
    expect(await isAdmitted(window)).toBe(true);
    await pass(6_000 * SECOND);
    expect(await isAdmitted(window)).toBe(true);
    const wait = await secondsToWait(window);
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThanOrEqual(4_000);
    await pass(4_500 * SECOND);
    expect(await isAdmitted(window)).toBe(true);
    expect(await isAdmitted(window)).toBe(false);
  });

  it("does not count rejected calls", async () => {
    const window = newWindow(1, 5_000 * SECOND);
    expect(await isAdmitted(window)).toBe(true);
    await pass(3_000 * SECOND);
    for (let i = 0; i < 5; i += 1) expect(await isAdmitted(window)).toBe(false);
    await pass(2_001 * SECOND);
    expect(await isAdmitted(window)).toBe(true);
  });

  it("counts a call in all of its windows or in none", async () => {
    const [full, roomy] = [newWindow(1), newWindow(3)];
    expect(await isAdmitted(full)).toBe(true);
    for (let i = 0; i < 5; i += 1) expect(await isAdmitted(roomy, full)).toBe(false);
    for (let i = 0; i < 3; i += 1) expect(await isAdmitted(roomy)).toBe(true);
    expect(await isAdmitted(roomy)).toBe(false);
  });

  it("is exact when concurrent calls name the same two windows in opposite order", async () => {
    const [a, b] = [newWindow(20), newWindow(20)];
    const calls = Array.from({ length: 60 }, (_, i) => isAdmitted(...(i % 2 ? [a, b] : [b, a])));
    expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(20);
  });

  it("may be combined with a longer one, and the time to wait is that of the last window to have room", async () => {
    const [short, long] = [newWindow(1, 3_000 * SECOND), newWindow(2, 60_000 * SECOND)];
    expect(await isAdmitted(short, long)).toBe(true);
    expect(await isAdmitted(short, long)).toBe(false);
    await pass(3_001 * SECOND);
    expect(await isAdmitted(short, long)).toBe(true);
    const wait = await secondsToWait(short, long);
    expect(wait).toBeGreaterThan(56_000);
    expect(wait).toBeLessThanOrEqual(56_999);
  });

  it("stores no email address, and nothing at all after the sweep", async () => {
    await limiter.admit([{ name: "test", subject: "ada@example.test", limit: 1, windowMs: 60_000 }]);
    const { rows } = await sql<{
      hit: string;
    }>`select rate_limit_hits::text as hit from rate_limit_hits`.execute(booted.db);
    expect(rows.some((row) => row.hit.includes("ada@"))).toBe(false);
    await sql`update rate_limit_hits set expires_at = now()`.execute(booted.db);
    await sweepRateLimits(booted.db);
    expect((await sql`select from rate_limit_hits`.execute(booted.db)).rows).toHaveLength(0);
  });
});

describe("two servers on one database", () => {
  it("together never admit more logins than the limit for an address", async () => {
    const first = await boot({ RATE_LIMIT_LOGIN: "10/15m" });
    const second = await boot({ RATE_LIMIT_LOGIN: "10/15m", DATABASE_URL: first.databaseUrl });
    const email = `storm-${randomUUID()}@example.test`;
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        (i % 2 ? first : second).client.post("/api/auth/login", {
          email: i % 3 ? email : email.toUpperCase(),
          password: "wrong password",
        }),
      ),
    );
    const { 401: wrong = [], 429: rejected = [] } = statuses(responses);
    expect([wrong.length, rejected.length]).toEqual([10, 190]);
    for (const response of rejected) {
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(response.json.error).toMatch(/^Too many requests\. Try again in \d+ s\.$/);
    }
  });

  it("together admit ten times the limit for one client, even if it forges proxy headers", async () => {
    const first = await boot({ RATE_LIMIT_LOGIN: "3/15m" });
    const second = await boot({ RATE_LIMIT_LOGIN: "3/15m", DATABASE_URL: first.databaseUrl });
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (i % 2 ? first : second).client.post(
          "/api/auth/login",
          { email: `n${i}@example.test`, password: "wrong password" },
          { headers: { "x-forwarded-for": `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` } },
        ),
      ),
    );
    expect(statuses(responses)[401]).toHaveLength(30);
  });

  it("also limit register, forgot-password and reset-password", async () => {
    const { client } = await boot({
      RATE_LIMIT_REGISTER: "2/1h",
      RATE_LIMIT_FORGOT_PASSWORD: "2/1h",
      RATE_LIMIT_RESET_PASSWORD: "2/1h",
    });
    const email = "limited@example.test";
    const calls: [string, unknown, number][] = [
      ["/api/auth/register", { email, password: "0123456789" }, 200],
      ["/api/auth/forgot-password", { email }, 200],
      ["/api/auth/reset-password", { token: "forged", password: "0123456789" }, 400],
    ];
    for (const [path, body, status] of calls) {
      const responses: TestResponse[] = [];
      for (let i = 0; i < 3; i += 1) responses.push(await client.post(path, body));
      expect(responses.map((response) => response.status)).toEqual([status, status, 429]);
    }
  });
});

describe("behind proxies", () => {
  const login = (client: Booted["client"], forwardedFor: string) =>
    client.post(
      "/api/auth/login",
      { email: `${randomUUID()}@example.test`, password: "wrong" },
      { headers: { "x-forwarded-for": forwardedFor } },
    );

  it("trusts the configured number of proxies, not the addresses that the client adds", async () => {
    const { client } = await boot({ RATE_LIMIT_LOGIN: "1/15m", TRUST_PROXY: "1" });
    const responses: TestResponse[] = [];
    for (let i = 0; i < 11; i += 1) responses.push(await login(client, `198.51.100.${i}, 203.0.113.7`));
    expect(responses.map((response) => response.status)).toEqual([...Array(10).fill(401), 429]);
    expect((await login(client, "203.0.113.8")).status).toBe(401);
  });

  it("counts an IPv6 network as one client", async () => {
    const { client } = await boot({ RATE_LIMIT_LOGIN: "1/15m", TRUST_PROXY: "loopback" });
    const responses: TestResponse[] = [];
    for (let i = 0; i < 11; i += 1) responses.push(await login(client, `2001:db8:0:1::${i}`));
    expect(responses.map((response) => response.status)).toEqual([...Array(10).fill(401), 429]);
    expect((await login(client, "2001:db8:0:2::1")).status).toBe(401);
  });
});
