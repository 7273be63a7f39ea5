import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, inject, it } from "vitest";
import { databaseUrl, execute } from "../../test/postgres.ts";
import { createDatabase, createPool, type Database } from "./database.ts";
import { migrate } from "./migrate.ts";

async function emptyDatabase(): Promise<string> {
  const name = `${inject("templateName")}_${randomBytes(4).toString("hex")}`;
  await execute(inject("adminUrl"), `create database ${name}`);
  return databaseUrl(inject("adminUrl"), name);
}

async function withDatabases<T>(
  url: string,
  count: number,
  work: (dbs: Database[]) => Promise<T>,
): Promise<T> {
  const dbs = Array.from({ length: count }, () => createDatabase(createPool(url, { max: 2 })));
  try {
    return await work(dbs);
  } finally {
    await Promise.all(dbs.map((db) => db.destroy()));
  }
}

describe("migrations", () => {
  it("are applied once when several servers start at the same time", async () => {
    const applied = await withDatabases(await emptyDatabase(), 4, (dbs) => Promise.all(dbs.map(migrate)));
    const [first = [], ...others] = applied.toSorted((a, b) => b.length - a.length);
    expect(first[0]).toBe("0001_accounts");
    expect(others).toEqual([[], [], []]);
  });

  it("leave nothing behind when one of them fails", async () => {
    const url = await emptyDatabase();
    await execute(url, "create table api_keys (in_the_way integer)");
    await withDatabases(url, 1, async ([db]) => {
      if (!db) return;
      await expect(migrate(db)).rejects.toThrow('relation "api_keys" already exists');
      const { rows } = await sql`select to_regclass('users') as users`.execute(db);
      expect(rows).toEqual([{ users: null }]);
    });
  });

  it("of a newer version do not keep this one from starting", async () => {
    await withDatabases(await emptyDatabase(), 1, async ([db]) => {
      if (!db) return;
      await migrate(db);
      await sql`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', '2030-01-01')`.execute(
        db,
      );
      expect(await migrate(db)).toEqual([]);
    });
  });
});
