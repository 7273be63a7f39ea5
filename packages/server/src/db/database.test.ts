import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { createDatabase, createPool, type Database, type Sharding } from "./database.ts";
import { directoryAfter } from "./statements/directory-after.ts";
import { forEachWorkspace } from "./statements/for-each-workspace.ts";
import { insertedRows } from "./statements/inserted-rows.ts";
import { joinedOrApart } from "./statements/joined-or-apart.ts";
import { changeBehindLocks } from "./transaction.ts";
import { asWorkspaceId } from "./workspace-id.ts";

const WORKSPACE = asWorkspaceId("a");
const url = await createTestDatabase({ isEmpty: true });
const open = (sharding?: Sharding) => {
  const db = createDatabase(createPool(url, { max: 2 }), sharding);
  afterAll(() => db.destroy());
  return db;
};
const plain = open();
const directory = open({});
const node = open({ directory });
const coordinator = open({ near: async () => node });

describe("one PostgreSQL", () => {
  it("is directory and workspace at once, in a transaction the same transaction", async () => {
    expect(plain.directory).toBe(plain);
    expect(await plain.of(WORKSPACE)).toBe(plain);
    await plain.transaction(async (trx) => {
      expect(trx.directory).toBe(trx);
      expect(await trx.of(WORKSPACE)).toBe(trx);
    });
  });

  it("runs one statement for all workspaces, joined, with one parameter for all rows", async () => {
    expect(await forEachWorkspace(plain, ["a", "b"], async (some) => [some.join()])).toEqual(["a,b"]);
    expect(await forEachWorkspace(plain, [], async () => ["never"])).toEqual([]);
    expect(await joinedOrApart(plain, WAYS)).toBe("joined");
    expect(sqlOf(plain, [1, 2])).toBe("/* prepared */ select 1,2");
    expect(sqlOf(plain, [1])).toBe("/* prepared */ values (1)");
  });

  it("asks the directory without waiting for statements that were sent before", async () => {
    const never = new Promise(() => {});
    expect(await directoryAfter(plain, [never], async (db) => db === plain)).toBe(true);
  });
});

describe("a cluster", () => {
  it("has the directory on other connections than a node, also in a transaction", async () => {
    expect(node.directory).toBe(directory);
    await node.transaction(async (trx) => expect(trx.directory).toBe(directory));
    expect(coordinator.directory).toBe(coordinator);
    await coordinator.transaction(async (trx) => expect(trx.directory).toBe(trx));
  });

  it("leads from the coordinator to the node of a workspace", async () => {
    expect(await coordinator.of(WORKSPACE)).toBe(node);
    expect(await node.of(WORKSPACE)).toBe(node);
    expect(await coordinator.withoutPlugins().of(WORKSPACE)).toBe(node);
  });

  it("runs a statement for each workspace, apart, with a parameter for each value", async () => {
    expect(await forEachWorkspace(node, ["a", "b"], async (some) => [some.join()])).toEqual(["a", "b"]);
    expect(await forEachWorkspace(node, [], async () => ["never"])).toEqual([]);
    expect(await joinedOrApart(node, WAYS)).toBe("apart");
    expect(sqlOf(node, [1, 2])).toBe(" values (1), (2)");
    expect(sqlOf(node, [1])).toBe("/* prepared */ values (1)");
  });

  it("asks the directory after the statements that were sent before, also if they fail", async () => {
    const order: string[] = [];
    const sent = [
      sql`select pg_sleep(0.05)`.execute(node).then(() => order.push("slept")),
      sql`select 1 / 0`.execute(node).catch(() => Promise.reject(order.push("failed"))),
    ];
    await directoryAfter(node, sent, async (db) => order.push(db === directory ? "directory" : "node"));
    expect(order.slice(0, 2).sort()).toEqual(["failed", "slept"]);
    expect(order[2]).toBe("directory");
  });
});

it.each([
  ["and only then, on one PostgreSQL", plain, 1],
  ["also after the change in a cluster, which commits on several servers", coordinator, 2],
])("takes the locks before a change, %s", async (_, db, times) => {
  const steps: string[] = [];
  const lock = async () => void steps.push("lock");
  const change = (isChanged: boolean) => async () => {
    steps.push("change");
    return isChanged;
  };
  expect(await changeBehindLocks(db, lock, change(true))).toBe(true);
  expect(steps).toEqual(["lock", "change", "lock"].slice(0, times + 1));
  expect(await changeBehindLocks(db, lock, change(false))).toBe(false);
  expect(steps.slice(times + 1)).toEqual(["lock", "change"]);
});

const WAYS = { joined: async () => "joined", apart: async () => "apart" };

function sqlOf(db: Database, numbers: number[]): string {
  const { prepared, inserted } = insertedRows(db, numbers, {
    value: (number) => sql`(${sql.lit(number)})`,
    select: (all) => sql`select ${sql.raw(all.join())}`,
  });
  return sql`${prepared} ${inserted}`.compile(db).sql;
}
