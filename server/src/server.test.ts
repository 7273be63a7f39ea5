import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { boot } from "@whytrace/testing/boot.ts";
import { Client } from "@whytrace/testing/client.ts";
import { DatabaseProxy } from "@whytrace/testing/database-proxy.ts";
import { sendAs, trace } from "@whytrace/testing/sample-traces.ts";
import { startServerProcess } from "@whytrace/testing/server-process.ts";
import { createTestDatabase } from "@whytrace/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { createDatabase, createPool } from "./db/database.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function start(env: Record<string, string>) {
  const started = await startServerProcess({ RATE_LIMIT_REGISTER: "1000/1h", ...env });
  children.push(started.child);
  return started;
}

describe("two server processes on one database", () => {
  it("create exactly 10 of 16 concurrent API keys, and see each other's sessions and revocations", async () => {
    const DATABASE_URL = await createTestDatabase();
    const [first, second] = await Promise.all([start({ DATABASE_URL }), start({ DATABASE_URL })]);
    const user = await new Client(first.url).newUser();
    const onSecond = new Client(second.url, user.cookie);
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, i) => (i % 2 ? user : onSecond).post("/api/keys", { name: `${i}` })),
    );
    expect(responses.filter((response) => response.status === 201)).toHaveLength(10);
    expect(responses.filter((response) => response.status === 409)).toHaveLength(6);

    const { keys } = (await onSecond.get("/api/keys")).json;
    expect(keys).toHaveLength(10);
    const { id, key } = responses
      .filter((response) => response.status === 201)
      .map((response) => response.json)[0];
    const send = () => sendAs(onSecond, key, { traces: [trace()] });
    expect((await send()).status).toBe(200);
    await user.delete(`/api/keys/${id}`);
    expect((await send()).json).toEqual({ error: "Invalid API key" });
    expect((await onSecond.get("/api/keys")).json.keys).toHaveLength(9);
    await user.post("/api/auth/logout");
    expect((await onSecond.get("/api/auth/session")).status).toBe(401);
  });
});

describe("SIGTERM under load", () => {
  it("fails no request on a keep-alive connection, first returns 503 for health, and exits within 15 s", async () => {
    const { child, url } = await start({ DATABASE_URL: await createTestDatabase() });
    const exited = once(child, "exit");
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const outcomes: (number | string)[] = [];
    let isLoading = true;

    /** A refused new connection is no failure: a load balancer would use another server. */
    const get = (path: string) =>
      new Promise<number | string>((resolve) => {
        const call = request(url + path, { agent }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode ?? 0));
        });
        call.on("error", (error: NodeJS.ErrnoException) =>
          resolve(call.reusedSocket ? `${error.code}` : "refused"),
        );
        call.end();
      });
    const load = Promise.all(
      Array.from({ length: 16 }, async () => {
        while (isLoading) {
          const outcome = await get("/api/auth/session");
          outcomes.push(outcome);
          if (outcome === "refused") await sleep(50);
        }
      }),
    );
    await sleep(500);
    const startedAt = performance.now();
    child.kill("SIGTERM");
    await expect.poll(() => get("/api/health"), { timeout: 2_500, interval: 20 }).toBe(503);
    const live = await get("/api/health/live");
    const [code] = await exited;
    isLoading = false;
    await load;
    expect(code).toBe(0);
    expect(live).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(outcomes.filter((outcome) => outcome === 401).length).toBeGreaterThan(100);
    expect(outcomes.filter((outcome) => outcome !== 401 && outcome !== "refused")).toEqual([]);
  });
});

describe("a lost database", () => {
  it("makes requests fail with 503 and Retry-After, keeps the process alive, and recovers when it is back", async () => {
    const proxy = new DatabaseProxy(await createTestDatabase());
    const { client } = await boot({ DATABASE_URL: await proxy.open() });
    const user = await client.newUser();

    await proxy.disconnect();
    const down = await user.get("/api/auth/session");
    expect([down.status, down.json]).toEqual([503, { error: "Service temporarily unavailable" }]);
    expect(down.headers.get("retry-after")).toBe("1");
    const health = await client.get("/api/health");
    expect([health.status, health.json]).toEqual([
      503,
      { status: "unavailable", version: expect.any(String), checks: { database: "unavailable" } },
    ]);
    expect((await client.get("/api/health/live")).status).toBe(200);

    await proxy.open();
    expect((await user.get("/api/auth/session")).status).toBe(200);
    expect((await client.get("/api/health")).status).toBe(200);
  });

  it("affects no later request if its connections are killed", async () => {
    const { client, databaseUrl } = await boot();
    const user = await client.newUser();
    const admin = createDatabase(createPool(databaseUrl, { max: 1 }));
    for (let i = 0; i < 5; i += 1) {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(admin);
      await sleep(20);
      expect((await user.get("/api/auth/session")).status).toBe(200);
    }
    await admin.destroy();
  });
});

describe("starting", () => {
  it("fails with a list of all errors if the configuration is invalid", async () => {
    await expect(start({ DATABASE_URL: "nowhere", METRICS_TOKEN: "change-me" })).rejects.toThrow(
      /DATABASE_URL must be a URL.*METRICS_TOKEN must be a secret of your own/s,
    );
  });

  it("fails with the connection error if there is no database", async () => {
    await expect(start({ DATABASE_URL: "postgres://127.0.0.1:1/nowhere" })).rejects.toThrow(/ECONNREFUSED/);
  });

  it("applies the configured limit to existing FREE subscriptions", async () => {
    const { client, databaseUrl, db } = await boot();
    const user = await client.newUser();
    const limit = async () => {
      const { rows } = await sql`select sessions_limit from subscriptions where user_id = ${user.id}`.execute(
        db,
      );
      return rows[0];
    };
    await boot({ DATABASE_URL: databaseUrl, FREE_SESSIONS_PER_DAY: "unlimited" });
    expect(await limit()).toEqual({ sessionsLimit: 2_147_483_647 });
    await sql`update subscriptions set tier = 'PRO', sessions_limit = 100000`.execute(db);
    await boot({ DATABASE_URL: databaseUrl, FREE_SESSIONS_PER_DAY: "50" });
    expect(await limit()).toEqual({ sessionsLimit: 100_000 });
  });
});

describe("logs", () => {
  it("contain no secret, payload or IP address", async () => {
    const { url, lines } = await start({
      DATABASE_URL: await createTestDatabase(),
      LOG_LEVEL: "trace",
    });
    const client = new Client(url);
    const user = await client.newUser("canary-address@example.test");
    const { key } = (await user.post("/api/keys", { name: "canary-name" })).json;
    await client.get(`/api/nowhere?token=canary-token`);
    await client.post("/api/auth/verify-email", { token: "canary-token" });
    await client.get("/api/auth/session", { headers: { authorization: `Bearer ${key}` } });
    await user.delete("/api/keys/canary%00path");
    await sleep(100);
    const log = lines.join("\n");
    expect(log).toContain('"route":"/api/auth/register"');
    for (const secret of ["canary", key, user.cookie?.split("=")[1] ?? "", "correct horse", "127.0.0.1:"])
      expect(log.replaceAll(/Server listening[^"]+/g, "")).not.toContain(secret);
  });
});
