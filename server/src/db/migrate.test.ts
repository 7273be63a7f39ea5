import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { execute } from "@whytrace/testing/databases.ts";
import { createTestDatabase } from "@whytrace/testing/test-database.ts";
import { describe, expect, it } from "vitest";
import { migrate } from "./migrate.ts";

describe("migrations", () => {
  it("are applied once if several servers start at the same time", async () => {
    const url = await createTestDatabase({ isEmpty: true });
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
    const [first = [], ...others] = applied.toSorted((a, b) => b.length - a.length);
    expect(first[0]).toBe("0001_accounts");
    expect(others).toEqual([[], [], []]);
  });

  it("are all rolled back if one of them fails", async () => {
    const url = await createTestDatabase({ isEmpty: true });
    await execute(url, "create table api_keys (in_the_way integer)");
    await expect(migrate(url)).rejects.toThrow('relation "api_keys" already exists');
    expect((await execute(url, "select to_regclass('users') as users")).rows).toEqual([{ users: null }]);
  });

  it("of a newer version do not prevent an older version from starting", async () => {
    const url = await createTestDatabase({ isEmpty: true });
    await migrate(url);
    await execute(
      url,
      "insert into kysely_migration (name, timestamp) values ('9999_from_the_future', '2030-01-01')",
    );
    expect(await migrate(url)).toEqual([]);
  });

  it("raise the version of each user's traces to the position of their newest change", async () => {
    const url = await createTestDatabase({ isEmpty: true });
    await migrate(url);
    const [ahead, behind] = [randomUUID(), randomUUID()];
    await execute(
      url,
      `insert into trace_totals (user_id, version) values ('${ahead}', 7), ('${behind}', 1);
       insert into trace_changes (user_id, position) values ('${ahead}', 3), ('${behind}', 5), ('${behind}', 6)`,
    );
    const migration = new URL("migrations/0015_change_positions.sql", import.meta.url);
    await execute(url, await readFile(migration, "utf8"));
    const { rows } = await execute(
      url,
      "select user_id, version::integer from trace_totals order by version",
    );
    expect(rows).toEqual([
      { user_id: behind, version: 6 },
      { user_id: ahead, version: 7 },
    ]);
  });
});
