import { createTestDatabase } from "@whytrace/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createPool } from "./database.ts";
import { clientTransaction } from "./transaction.ts";

let url: string;
beforeAll(async () => {
  url = await createTestDatabase();
});

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
});
