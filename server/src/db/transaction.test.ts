import { createTestDatabase } from "@whytrace/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { BinaryRows } from "./binary-rows.ts";
import { copyRows } from "./copy-rows.ts";
import { createPool } from "./database.ts";
import { clientTransaction } from "./transaction.ts";

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
      // Each runs in the turn after the result of the one before it, so one of them meets the rollback.
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
