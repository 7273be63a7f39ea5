import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { startStopwatch } from "@whytrace/testing/stopwatch.ts";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectionWatch } from "./connection-watch.ts";
import { createPool } from "./database.ts";
import { clientTransaction } from "./transaction.ts";

const NO_RESPONSE = { code: "ETIMEDOUT", message: "The database does not respond" };

let proxy: DatabaseProxy;
let watch: ConnectionWatch;
let pool: pg.Pool;
beforeEach(async () => {
  proxy = new DatabaseProxy(await createTestDatabase());
  const databaseUrl = await proxy.open();
  watch = new ConnectionWatch({ databaseUrl, tickMs: 200, probeTimeoutMs: 500 });
  pool = createPool(databaseUrl, { max: 2 }, watch);
});
afterEach(async () => {
  watch.stop();
  proxy.resume();
  await pool.end();
  await proxy.disconnect();
});

describe("a watched connection", () => {
  it("fails soon after the network drops every packet; new ones fail at once until it is back", async () => {
    await pool.query("select 1");
    proxy.stall();
    const elapsedMs = startStopwatch();
    await expect(pool.query("select 1")).rejects.toMatchObject(NO_RESPONSE);
    expect(elapsedMs()).toBeLessThan(8_000);
    const secondElapsedMs = startStopwatch();
    await expect(pool.query("select 1")).rejects.toMatchObject(NO_RESPONSE);
    expect(secondElapsedMs()).toBeLessThan(200);
    proxy.resume();
    await expect.poll(() => pool.query("select 1").then(() => "ok", String)).toBe("ok");
  });

  it("fails soon if it alone is cut off, as after a failover to another address", async () => {
    await pool.query("select 1");
    proxy.stall({ newConnections: false });
    await expect(pool.query("select 1")).rejects.toMatchObject(NO_RESPONSE);
    expect((await pool.query("select 7 as n")).rows).toEqual([{ n: 7 }]);
  });

  it("fails soon if only the result is lost, also inside a transaction", async () => {
    const failing = clientTransaction(pool, async (client) => {
      await client.query("select 1");
      const sleeping = client.query("select pg_sleep(1)");
      setTimeout(() => proxy.stall({ newConnections: false }), 300);
      await sleeping;
    });
    await expect(failing).rejects.toMatchObject(NO_RESPONSE);
  });

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

  it("is left alone while this process is too busy to read the answers", async () => {
    await pool.query("select 1");
    const slow = pool.query("select pg_sleep(5)").then(() => "ok", String);
    const until = performance.now() + 4_500;
    while (performance.now() < until) {
      const blockedUntil = performance.now() + 600;
      while (performance.now() < blockedUntil);
      await new Promise(setImmediate);
    }
    expect(await slow).toBe("ok");
  });
});
