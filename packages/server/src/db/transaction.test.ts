import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { sql } from "kysely";
import type pg from "pg";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { BinaryRows } from "./copy/binary-rows.ts";
import { copyRows } from "./copy/copy-rows.ts";
import { createDatabase, createPool, type Database } from "./database.ts";
import { clientTransaction, MAX_TRANSACTION_SECONDS, snapshotOn, transaction } from "./transaction.ts";

let url: string;
beforeAll(async () => {
  url = await createTestDatabase();
});

function lateRow() {
  const rows = new BinaryRows(0);
  rows.beginRow(1);
  rows.text("copy");
  return { statement: "copy late from stdin (format binary)", rows };
}

describe("a client transaction", () => {
  it("runs statements in the order of the calls, even if they are not awaited", async () => {
    const pool = createPool(url, { max: 1 });
    await pool.query("create table steps (position serial, step integer)");
    await clientTransaction(pool, async (_client, trx) => {
      await Promise.all(
        Array.from({ length: 300 }, (_, step) => sql`insert into steps (step) values (${step})`.execute(trx)),
      );
    });
    const { rows } = await pool.query("select step from steps order by position");
    expect(rows.map(({ step }) => step)).toEqual(Array.from({ length: 300 }, (_, step) => step));
    await pool.end();
  });

  it("is not committed if its work took too long: others count on its end", async () => {
    const pool = createPool(url, { max: 1 });
    const db = createDatabase(pool);
    await pool.query("create table slow (n integer)");
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const work = (seconds: number) => async (trx: Database) => {
      await sql`insert into slow values (${seconds})`.execute(trx);
      vi.advanceTimersByTime(seconds * 1_000);
    };
    const run = (seconds: number) => [
      clientTransaction(pool, (_client, trx) => work(seconds)(trx)),
      transaction(db, work(seconds)),
    ];
    await Promise.all(run(29));
    for (const failing of await Promise.allSettled(run(MAX_TRANSACTION_SECONDS)))
      expect(failing).toMatchObject({ status: "rejected", reason: { code: "25P04" } });
    const { rows } = await pool.query("select n from slow");
    expect(rows).toEqual([{ n: 29 }, { n: 29 }]);
    await db.destroy();
  });

  it("rolls back if a statement fails, and the connection is reusable", async () => {
    const pool = createPool(url, { max: 1 });
    await pool.query("create table numbers (n integer primary key)");
    const failing = clientTransaction(pool, async (_client, trx) => {
      await Promise.all([1, 2, 2, 3].map((n) => sql`insert into numbers values (${n})`.execute(trx)));
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    await clientTransaction(pool, (_client, trx) => sql`insert into numbers values (7)`.execute(trx));
    const { rows } = await pool.query("select n from numbers");
    expect(rows).toEqual([{ n: 7 }]);
    await pool.end();
  });

  it("sends nothing after it has failed: a slower branch of its work runs neither alone nor in the next transaction", async () => {
    const pool = createPool(url, { max: 1 });
    await pool.query("create table late (branch text)");
    const branches: Promise<unknown>[] = [];
    const failed = Promise.withResolvers<void>();
    const later = async (statement: () => Promise<unknown>) => {
      await failed.promise;
      await statement();
    };
    const failing = clientTransaction(pool, async (client, trx) => {
      await client.query("select 1");
      branches.push(
        later(() => client.query("insert into late values ('client')")),
        later(() => sql`insert into late values ('database')`.execute(trx)),
        later(() => copyRows(client, [lateRow()])),
      );
      for (const branch of branches) branch.catch(() => {});
      throw new Error("over the limit");
    });
    await expect(failing).rejects.toThrow("over the limit");
    await clientTransaction(pool, async (client) => {
      failed.resolve();
      expect((await Promise.allSettled(branches)).map(({ status }) => status)).toEqual(
        branches.map(() => "rejected"),
      );
      await client.query("insert into late values ('next')");
    });
    const { rows } = await pool.query("select branch from late");
    expect(rows).toEqual([{ branch: "next" }]);
    await pool.end();
  });

  it("sends nothing more while its rollback is under way", async () => {
    const pool = createPool(url, { max: 1 });
    await pool.query("create table during (branch text)");
    const branches: Promise<unknown>[] = [];
    const failing = clientTransaction(pool, async (client) => {
      const first = client.query("select 1");
      // Each runs in the iteration of the event loop after the result of the one before it, so one of them meets the rollback.
      branches.push(
        (async () => {
          for (let i = 0; i < 5; i += 1) {
            await first;
            await client.query("insert into during values ('late')");
          }
        })(),
      );
      for (const branch of branches) branch.catch(() => {});
      await first;
      throw new Error("over the limit");
    });
    await expect(failing).rejects.toThrow("over the limit");
    await Promise.allSettled(branches);
    expect((await pool.query("select from during")).rowCount).toBe(0);
    await pool.end();
  });
});

describe("a snapshot", () => {
  /** The connection that the pool gives out next, and whether it is inside a transaction. */
  const nextConnection = async (pool: ReturnType<typeof createPool>) => {
    const { rows } = await pool.query(
      "select pg_backend_pid() as pid, now() = statement_timestamp() as is_fresh",
    );
    return rows[0];
  };

  it.each<[string, (client: pg.PoolClient) => Promise<unknown>]>([
    [
      "before its first statement",
      () => {
        throw new Error("no literal for this value");
      },
    ],
    ["in a statement", (client) => client.query("select 1 / 0")],
    [
      "in one of several statements",
      (client) =>
        Promise.all([client.query("select 1"), client.query("select 1 / 0"), client.query("select 2")]),
    ],
  ])("that fails %s leaves its connection outside of a transaction", async (_, work) => {
    const pool = createPool(url, { max: 1 });
    const { pid } = await nextConnection(pool);
    const client = await pool.connect();
    await expect(snapshotOn(client, () => work(client))).rejects.toThrow();
    expect(client.getTransactionStatus()).toBe("I");
    client.release();
    expect(await nextConnection(pool)).toEqual({ pid, is_fresh: true });
    await pool.end();
  });
});

describe("a connection that is released inside a transaction", () => {
  it.each(["select 1", "select 1 / 0"])("after %s is closed and reported", async (statement) => {
    const pool = createPool(url, { max: 1 });
    const reported: string[] = [];
    pool.on("error", (error) => reported.push(error.message));
    const client = await pool.connect();
    await client.query("begin");
    await client.query(statement).catch(() => {});
    client.release();
    expect((await pool.query("select 7 as n")).rows).toEqual([{ n: 7 }]);
    expect(reported).toEqual(["A database connection was released inside a transaction"]);
    await pool.end();
  });
});
