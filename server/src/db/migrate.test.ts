import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { databaseUrl, execute } from "../../test/postgres.ts";
import { migrate } from "./migrate.ts";

async function emptyDatabase(): Promise<string> {
  const name = `${inject("templateName")}_${randomBytes(4).toString("hex")}`;
  await execute(inject("adminUrl"), `create database ${name}`);
  return databaseUrl(inject("adminUrl"), name);
}

describe("migrations", () => {
  it("are applied once when several servers start at the same time", async () => {
    const url = await emptyDatabase();
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
    const [first = [], ...others] = applied.toSorted((a, b) => b.length - a.length);
    expect(first[0]).toBe("0001_accounts");
    expect(others).toEqual([[], [], []]);
  });

  it("leave nothing behind when one of them fails", async () => {
    const url = await emptyDatabase();
    await execute(url, "create table api_keys (in_the_way integer)");
    await expect(migrate(url)).rejects.toThrow('relation "api_keys" already exists');
    expect((await execute(url, "select to_regclass('users') as users")).rows).toEqual([{ users: null }]);
  });

  it("of a newer version do not keep this one from starting", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    await execute(
      url,
      "insert into kysely_migration (name, timestamp) values ('9999_from_the_future', '2030-01-01')",
    );
    expect(await migrate(url)).toEqual([]);
  });

  it("take over what was used of today's limit, and the newest change of each user", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const [sender, deleter] = [randomUUID(), randomUUID()];
    await execute(
      url,
      `alter table trace_totals drop created_on, drop created_count;
       delete from kysely_migration where name = '0015_day_counts';
       insert into trace_totals (user_id, deleted_on, deleted_count, version) values
         ('${sender}', now() - interval '2 days', 9, 7), ('${deleter}', (now() at time zone 'utc')::date, 4, 1);
       insert into traces (user_id, id, name, status, tags, started_at, created_at, span_count,
         decision_point_count, event_count) values
         ('${sender}', 'a', 'a', 'COMPLETED', '{}', now(), now(), 0, 0, 0),
         ('${sender}', 'b', 'b', 'COMPLETED', '{}', now(), now() - interval '2 days', 0, 0, 0);
       insert into trace_changes (user_id, position) values ('${sender}', 3), ('${deleter}', 5), ('${deleter}', 6)`,
    );
    await migrate(url);
    const { rows } = await execute(
      url,
      "select user_id, created_count, version::integer from trace_totals order by version",
    );
    expect(rows).toEqual([
      { user_id: deleter, created_count: 4, version: 6 },
      { user_id: sender, created_count: 1, version: 7 },
    ]);
  });
});
