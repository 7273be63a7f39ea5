import { createTestDatabase } from "@whytrace/testing/boot.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createPool } from "./database.ts";
import { clientTransaction } from "./transaction.ts";

let url: string;
beforeAll(async () => {
  url = await createTestDatabase();
});

describe("a transaction on a connection of its own", () => {
  it("runs statements in the order they were called, whether or not they are waited for", async () => {
    const pool = createPool(url, { max: 1 });
    await pool.query("create table steps (place serial, step integer)");
    await clientTransaction(pool, async (_client, trx) => {
      await Promise.all(
        Array.from({ length: 300 }, (_, step) => sql`insert into steps (step) values (${step})`.execute(trx)),
      );
    });
    const { rows } = await pool.query("select step from steps order by place");
    expect(rows.map(({ step }) => step)).toEqual(Array.from({ length: 300 }, (_, step) => step));
    await pool.end();
  });

  it("keeps nothing of what failed half-way, and the connection is good for the next", async () => {
    const pool = createPool(url, { max: 1 });
    await pool.query("create table kept (n integer primary key)");
    const failing = clientTransaction(pool, async (_client, trx) => {
      await Promise.all([1, 2, 2, 3].map((n) => sql`insert into kept values (${n})`.execute(trx)));
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    await clientTransaction(pool, (_client, trx) => sql`insert into kept values (7)`.execute(trx));
    const { rows } = await pool.query("select n from kept");
    expect(rows).toEqual([{ n: 7 }]);
    await pool.end();
  });
});
