import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { TestResponse } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
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

// Windows end while a test sleeps, so what is late is tried again.
describe("a sliding window", { retry: 2 }, () => {
  it("admits up to its limit, returns the time to wait, and admits one call as each old one expires", async () => {
    const window = newWindow(2, 1_000);
    expect(await isAdmitted(window)).toBe(true);
    await sleep(600);
    expect(await isAdmitted(window)).toBe(true);
    const refusal = await limiter.admit([window]).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    await sleep(450);
    expect(await isAdmitted(window)).toBe(true);
    expect(await isAdmitted(window)).toBe(false);
  });

  it("does not count rejected calls", async () => {
    const window = newWindow(1, 500);
    expect(await isAdmitted(window)).toBe(true);
    for (let i = 0; i < 5; i += 1) expect(await isAdmitted(window)).toBe(false);
    await sleep(520);
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
    const [short, long] = [newWindow(1, 300), newWindow(2, 60_000)];
    expect(await isAdmitted(short, long)).toBe(true);
    expect(await isAdmitted(short, long)).toBe(false);
    await sleep(320);
    expect(await isAdmitted(short, long)).toBe(true);
    const refusal = await limiter.admit([short, long]).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
  });

  it("stores no email address, and nothing at all after the sweep", async () => {
    await limiter.admit([{ name: "test", subject: "ada@example.test", limit: 1, windowMs: 1 }]);
    const { rows } = await sql<{
      hit: string;
    }>`select rate_limit_hits::text as hit from rate_limit_hits`.execute(booted.db);
    expect(rows.some((row) => row.hit.includes("ada@"))).toBe(false);
    await sleep(5);
    await sweepRateLimits(booted.db);
    const expired =
      await sql`select from rate_limit_hits where expires_at <= now() - interval '1 second'`.execute(
        booted.db,
      );
    expect(expired.rows).toHaveLength(0);
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
