import { fastestMs } from "@whytrace/testing/least-of.ts";
import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { startStopwatch } from "@whytrace/testing/stopwatch.ts";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectionWatch } from "./connection-watch.ts";
import { createPool } from "./database.ts";
import { clientTransaction } from "./transaction.ts";

const NO_RESPONSE = { code: "ETIMEDOUT", message: "The database does not respond" };

/** Does not go through the proxy. */
let directUrl: string;
let proxy: DatabaseProxy;
let watch: ConnectionWatch;
let pool: pg.Pool;
async function startWatch(probeTimeoutMs: number) {
  directUrl = await createTestDatabase();
  proxy = new DatabaseProxy(directUrl);
  const databaseUrl = await proxy.open();
  watch = new ConnectionWatch({ databaseUrl, tickMs: 200, probeTimeoutMs });
  pool = createPool(databaseUrl, { max: 2 }, watch);
}
afterEach(async () => {
  watch.stop();
  proxy.resume();
  await pool.end();
  await proxy.disconnect();
});

describe("a watched connection", () => {
  beforeEach(() => startWatch(500));

  it("fails soon after the network drops every packet; new ones fail at once until it is back", async () => {
    await pool.query("select 1");
    proxy.stall();
    const elapsedMs = startStopwatch();
    await expect(pool.query("select 1")).rejects.toMatchObject(NO_RESPONSE);
    expect(elapsedMs()).toBeLessThan(8_000);
    const again = () => expect(pool.query("select 1")).rejects.toMatchObject(NO_RESPONSE);
    expect(await fastestMs(200, again)).toBeLessThan(200);
    proxy.resume();
    await expect.poll(() => pool.query("select 1").then(() => "ok", String)).toBe("ok");
  });

  it("fails soon if it alone is cut off, as after a failover to another address", async () => {
    await pool.query("select 1");
    proxy.stall({ newConnections: false });
    await expect(pool.query("select 1")).rejects.toMatchObject(NO_RESPONSE);
    // A slow answer to the watch counts as none, and then new connections fail for a moment, too.
    await expect.poll(() => pool.query("select 7 as n").then(({ rows }) => rows, String)).toEqual([{ n: 7 }]);
  });

  it("fails soon if only the result is lost, also inside a transaction", async () => {
    // PostgreSQL works on the query for as long as another connection holds the lock.
    const holder = new pg.Client(directUrl);
    await holder.connect();
    await holder.query("select pg_advisory_lock(1)");
    const failing = clientTransaction(pool, async (client) => {
      await client.query("select 1");
      await client.query("select pg_advisory_xact_lock(1)");
    });
    const failed = expect(failing).rejects.toMatchObject(NO_RESPONSE);
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await execute(directUrl, waiting)).rowCount).toBe(1);
    proxy.stall({ newConnections: false });
    await holder.end();
    await failed;
  });

  it("is left alone while this process is too busy to read the answers", async () => {
    await pool.query("select 1");
    let outcome: string | undefined;
    const slow = pool.query("select pg_sleep(4.5)").then(() => "ok", String);
    void slow.then((result) => {
      outcome = result;
    });
    while (outcome === undefined) {
      const blockedUntil = performance.now() + 600;
      while (performance.now() < blockedUntil);
      await new Promise(setImmediate);
    }
    expect(await slow).toBe("ok");
  });
});

describe("a watched connection of a slow database", () => {
  // Long enough for an answer of a slow machine.
  beforeEach(() => startWatch(10_000));

  it("is left alone while PostgreSQL works on its query, and while a transaction waits for us", async () => {
    const slow = pool.query("select pg_sleep(2.5)");
    const waiting = clientTransaction(pool, async (client) => {
      await client.query("select 1");
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return (await client.query("select 7 as n")).rows;
    });
    await slow;
    expect(await waiting).toEqual([{ n: 7 }]);
  });
});
