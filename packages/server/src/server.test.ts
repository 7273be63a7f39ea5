import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { leastOf } from "@whytrace/testing/least-of.ts";
import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { newSender, sendAs, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { startServerProcess } from "@whytrace/testing/server/server-process.ts";
import { startStopwatch } from "@whytrace/testing/stopwatch.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, createPool, type Database } from "./db/database.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function start(env: Record<string, string>) {
  const started = await startServerProcess({ RATE_LIMIT_REGISTER: "1000/1h", ...env });
  children.push(started.child);
  return started;
}

/** Ends all other connections to the database, and waits until they have ended. */
const killConnections = (admin: Database) =>
  sql`
    select pg_terminate_backend(pid, 30000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(admin);

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
    const healths: (number | string)[] = [];
    let live: number | string | undefined;
    const checks = (async () => {
      for (; isLoading; await sleep(20)) {
        healths.push(await get("/api/health"));
        if (healths.at(-1) === 503) live ??= await get("/api/health/live");
      }
    })();
    const served = () => outcomes.filter((outcome) => outcome === 401).length;
    await expect.poll(served).toBeGreaterThan(100);
    const elapsedMs = startStopwatch();
    child.kill("SIGTERM");
    const [code] = await exited;
    isLoading = false;
    await Promise.all([load, checks]);
    expect(code).toBe(0);
    expect(healths.find((status) => status !== 200)).toBe(503);
    expect(live).toBe(200);
    expect(elapsedMs()).toBeLessThan(15_000);
    expect(outcomes.filter((outcome) => outcome !== 401 && outcome !== "refused")).toEqual([]);
  });
});

describe("stopping while an account is being deleted", () => {
  it("exits with 0 before all is deleted; another process finishes the deletion", async () => {
    const DATABASE_URL = await createTestDatabase();
    const db = createDatabase(createPool(DATABASE_URL, { max: 1 }));
    const workspaceId = randomUUID();
    await sql`
      insert into traces (workspace_id, id, name, status, tags, started_at, span_count, decision_point_count, event_count)
      select ${workspaceId}, 'trace ' || n, 'run', 'COMPLETED', '{}', now(), 0, 0, 0
      from generate_series(1, 8000) as n`.execute(db);
    await sql`insert into workspace_deletions (workspace_id) values (${workspaceId})`.execute(db);
    const countTraces = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) from traces`.execute(db);
      return rows[0]?.count;
    };
    const { child } = await start({ DATABASE_URL });
    await expect.poll(countTraces, { interval: 5 }).toBeLessThan(8_000);
    const exited = once(child, "exit");
    child.kill("SIGINT");
    const [code] = await exited;
    expect(code).toBe(0);
    expect(await countTraces()).toBeGreaterThan(0);

    await start({ DATABASE_URL });
    await expect.poll(countTraces, { interval: 100, timeout: 110_000 }).toBe(0);
    await db.destroy();
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
    await expect.poll(async () => (await user.get("/api/auth/session")).status).toBe(200);
    await expect.poll(async () => (await client.get("/api/health")).status).toBe(200);
  });

  it("answers every request within 10 s if the network drops its packets, and recovers when it forwards again", async () => {
    const url = await createTestDatabase();
    const proxy = new DatabaseProxy(url);
    const { client, db } = await boot({ DATABASE_URL: await proxy.open() });
    const user = await newSender(client, db);
    const direct = createDatabase(createPool(url, { max: 1 }));
    const shareOfLimits = async () => {
      const answers: [string, number, number][] = [];
      const ask = async (name: string, request: Promise<{ status: number }>) => {
        const elapsedMs = startStopwatch();
        const { status } = await request;
        answers.push([name, status, elapsedMs()]);
      };
      const requests = await direct.transaction(async (trx) => {
        // These wait inside their transactions when the network fails.
        await sql`select from subscriptions where workspace_id = ${user.workspaceId} for update`.execute(trx);
        const waiting = Array.from({ length: 60 }, () => ask("waiting ingest", user.send([trace()])));
        await sleep(500);
        proxy.stall();
        const { email } = user;
        return [
          ...waiting,
          ...Array.from({ length: 20 }, () => ask("ingest", user.send([trace()]))),
          ...Array.from({ length: 20 }, () => ask("list", user.get("/api/traces"))),
          ...Array.from({ length: 10 }, () =>
            ask("sign-in", client.post("/api/auth/login", { email, password: PASSWORD })),
          ),
          ask("health", client.get("/api/health")),
          sleep(2_000),
        ];
      });
      await Promise.all(requests);
      expect(answers.filter(([, status]) => status !== 503)).toEqual([]);
      proxy.resume();
      await expect.poll(async () => (await user.send([trace()])).status).toBe(200);
      await expect.poll(async () => (await client.get("/api/health")).status).toBe(200);
      return Math.max(...answers.map(([name, , ms]) => ms / (name === "health" ? 3_000 : 10_000)));
    };
    expect(await leastOf(1, shareOfLimits)).toBeLessThan(1);
    await direct.destroy();
  });

  it("affects no later request if its connections are killed", async () => {
    const { client, databaseUrl } = await boot();
    const user = await client.newUser();
    const admin = createDatabase(createPool(databaseUrl, { max: 1 }));
    for (let i = 0; i < 5; i += 1) {
      await killConnections(admin);
      await sleep(20);
      expect((await user.get("/api/auth/session")).status).toBe(200);
    }
    await admin.destroy();
  });
});

describe("a read-only database", () => {
  it("makes health and writes fail with 503, still serves reads, and is writable again without a restart", async () => {
    const { client, db, databaseUrl } = await boot();
    const user = await newSender(client, db);
    const stored = trace({ sessionId: "session", spans: [span()] });
    await user.send([stored]);
    // The next read would record when the session was last seen, and the next batch when the key was last used.
    await sql`update sessions set last_seen_at = now() - interval '1 hour'`.execute(db);
    await sql`update api_keys set last_used_at = now() - interval '1 hour'`.execute(db);
    const admin = createDatabase(createPool(databaseUrl, { max: 1 }));
    const setReadOnly = async (value: "on" | "off") => {
      await sql`set default_transaction_read_only = off`.execute(admin);
      const name = new URL(databaseUrl).pathname.slice(1);
      await sql.raw(`alter database ${name} set default_transaction_read_only = ${value}`).execute(admin);
    };
    await setReadOnly("on");
    // Only new connections have the setting.
    await killConnections(admin);
    await sleep(100);

    // The check waits less than a second for the database, which a slow machine can miss.
    const health = async () => {
      const { status, json } = await client.get("/api/health");
      return [status, json.status, json.checks.database];
    };
    await expect.poll(health).toEqual([503, "unavailable", "read-only"]);
    const { email } = user;
    for (const write of [
      () => user.send([trace()]),
      () => user.post("/api/keys", { name: "another" }),
      () => user.delete(`/api/traces/${stored.id}`),
      () => client.post("/api/auth/login", { email, password: PASSWORD }),
      () => client.post("/api/auth/register", { email: "new@example.test", password: PASSWORD }),
    ]) {
      const response = await write();
      expect([response.status, response.json]).toEqual([503, { error: "Service temporarily unavailable" }]);
      expect(response.headers.get("retry-after")).toBe("1");
    }
    for (const path of [
      "/api/auth/session",
      "/api/account/sessions",
      "/api/account/export",
      "/api/keys",
      "/api/billing",
      "/api/traces",
      `/api/traces/${stored.id}`,
      `/api/traces/${stored.id}/outline`,
      "/api/sessions",
      "/api/sessions/session",
      "/api/decisions",
      "/api/stats/traces",
      "/api/stats/errors",
      "/api/stats/choices",
    ])
      expect([path, (await user.get(path)).status]).toEqual([path, 200]);

    await setReadOnly("off");
    await expect.poll(async () => (await user.send([trace()])).status).toBe(200);
    await expect.poll(async () => (await client.get("/api/health")).status).toBe(200);
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
      const { rows } =
        await sql`select sessions_limit from subscriptions where workspace_id = ${user.workspaceId}`.execute(
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

describe("a server process", () => {
  let child: ChildProcess;
  let url: string;
  let lines: string[];
  beforeAll(async () => {
    const DATABASE_URL = await createTestDatabase();
    const admin = createDatabase(createPool(DATABASE_URL, { max: 1 }));
    const name = new URL(DATABASE_URL).pathname.slice(1);
    await sql.raw(`alter database ${name} set synchronous_commit = off`).execute(admin);
    await admin.destroy();
    ({ child, url, lines } = await startServerProcess({ DATABASE_URL, LOG_LEVEL: "trace" }));
  });
  afterAll(() => void child.kill("SIGKILL"));

  it("warns, in the log and in health, if PostgreSQL may lose what it has committed", async () => {
    const unsafeSettings = expect.arrayContaining(["synchronous_commit"]);
    const warnings = () => lines.filter((line) => line.includes("a crash loses stored traces"));
    await expect.poll(warnings).toHaveLength(1);
    expect(JSON.parse(warnings()[0] ?? "")).toMatchObject({ level: "warn", unsafeSettings });
    // The check waits less than a second for the database, which a slow machine can miss.
    const health = async () => {
      const { status, json } = await new Client(url).get("/api/health");
      return [status, json.checks];
    };
    await expect.poll(health).toEqual([200, { database: "ok", unsafeSettings }]);
  });

  it("logs no secret, payload or IP address", async () => {
    const client = new Client(url);
    const user = await client.newUser("canary-address@example.test");
    const { key } = (await user.post("/api/keys", { name: "canary-name" })).json;
    await client.get(`/api/nowhere?token=canary-token`);
    await client.post("/api/auth/verify-email", { token: "canary-token" });
    await client.get("/api/auth/session", { headers: { authorization: `Bearer ${key}` } });
    await user.delete("/api/keys/canary%00path");
    // The lines come in order, so all of the requests before have come with that of the last one.
    await user.get("/api/account/sessions");
    await expect.poll(() => lines.join("\n")).toContain('"route":"/api/account/sessions"');
    const log = lines.join("\n");
    expect(log).toContain('"route":"/api/auth/register"');
    for (const secret of ["canary", key, user.cookie?.split("=")[1] ?? "", "correct horse", "127.0.0.1:"])
      expect(log.replaceAll(/Server listening[^"]+/g, "")).not.toContain(secret);
  });
});
