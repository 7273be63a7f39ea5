import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "./migrate.ts";

/** A folder with these migrations, by name. */
async function folderOf(migrations: Record<string, string>): Promise<URL> {
  const path = await mkdtemp(join(tmpdir(), "whytrace-migrations-"));
  onTestFinished(() => rm(path, { recursive: true }));
  for (const [name, text] of Object.entries(migrations)) await writeFile(join(path, `${name}.sql`), text);
  return pathToFileURL(`${path}/`);
}

const isIndexValid = async (url: string, name: string) =>
  (await execute(url, `select indisvalid from pg_index where indexrelid = '${name}'::regclass`)).rows[0]
    ?.indisvalid;

describe("migrations", () => {
  it("are applied once if several servers start at the same time", async () => {
    const url = await createTestDatabase({ isEmpty: true });
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
    const [first = [], ...others] = applied.toSorted((a, b) => b.length - a.length);
    expect(first[0]).toBe("0001_baseline");
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
});

describe("a migration without a transaction", () => {
  it("builds an index while traces are being sent, and refuses and delays none", async () => {
    const { client, databaseUrl, db } = await boot();
    const user = await newSender(client, db);
    const folder = await folderOf({
      "9001_name_index":
        "-- no transaction\ncreate index concurrently if not exists traces_by_name on traces (workspace_id, name);\n",
    });
    // An index build waits for transactions that wrote to its table before it began.
    const writer = new pg.Client(databaseUrl);
    await writer.connect();
    await writer.query("begin; delete from traces");

    let hasEnded = false;
    // The second server waits for the first one; its waiting must not hold up the build.
    const migrations = Promise.all([migrate(databaseUrl, folder), migrate(databaseUrl, folder)]).finally(
      () => {
        hasEnded = true;
      },
    );
    const outcomes: { status: number; tookMs: number }[] = [];
    const send = async () => {
      const startedAt = performance.now();
      const { status } = await user.send([trace()]);
      outcomes.push({ status, tookMs: performance.now() - startedAt });
    };
    const isWaiting = `select from pg_stat_activity
      where datname = current_database() and query like 'create index%' and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await execute(databaseUrl, isWaiting)).rowCount).toBe(1);
    // What waits for the build now waits until the writer commits, so these end only if they do not wait for it.
    for (let i = 0; i < 40; i += 1) await send();
    expect(hasEnded).toBe(false);
    await writer.query("commit");
    await writer.end();
    const whileItEnds = outcomes.length;
    while (!hasEnded) await send();

    expect((await migrations).toSorted()).toEqual([[], ["9001_name_index"]]);
    expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
    for (const { tookMs } of outcomes.slice(whileItEnds)) expect(tookMs).toBeLessThan(5_000);
    expect(await isIndexValid(databaseUrl, "traces_by_name")).toBe(true);
  });

  it("is repeated from its start after it failed, and builds an invalid index again", async () => {
    const url = await createTestDatabase({ isEmpty: true });
    await execute(url, "create table pairs (a int, b int); insert into pairs values (1, 1), (1, 2)");
    const folder = await folderOf({
      "0001_indexes": `-- no transaction
-- The second statement fails while there are two pairs with the same a.
create index concurrently if not exists pairs_b on pairs (b);
create unique index concurrently if not exists pairs_a on pairs (a);
drop index concurrently if exists no_such_index;
`,
    });
    await expect(migrate(url, folder)).rejects.toThrow("could not create unique index");
    expect(await isIndexValid(url, "pairs_a")).toBe(false);
    await execute(url, "delete from pairs where b = 2");
    expect(await migrate(url, folder)).toEqual(["0001_indexes"]);
    expect([await isIndexValid(url, "pairs_a"), await isIndexValid(url, "pairs_b")]).toEqual([true, true]);
    expect(await migrate(url, folder)).toEqual([]);
  });

  it("keeps what was applied before it, and may contain only statements that can be repeated", async () => {
    const url = await createTestDatabase({ isEmpty: true });
    const folder = await folderOf({
      "0001_table": "create table pairs (a int, b int);",
      "0002_wrong": "-- no transaction\nupdate pairs set a = a + 1;",
      "0003_later": "create table others (a int);",
    });
    await expect(migrate(url, folder)).rejects.toThrow("not: update pairs set a = a + 1");
    const { rows } = await execute(url, "select name from kysely_migration");
    expect(rows).toEqual([{ name: "0001_table" }]);
  });
});
