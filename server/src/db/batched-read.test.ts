import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { batchedRead } from "./batched-read.ts";
import type { Database } from "./database.ts";
import { createDatabase, createPool } from "./database.ts";

const newDatabase = () => createDatabase(createPool("postgres://nobody@127.0.0.1:1/none"));
const db = newDatabase();

function counted() {
  const asked: string[][] = [];
  const read = batchedRead(async (_: Database, keys: string[]) => {
    asked.push(keys);
    if (keys.includes("broken")) throw new Error("The database is away");
    return new Map(keys.filter((key) => key !== "missing").map((key) => [key, key.toUpperCase()]));
  });
  return { asked, read };
}

it("asks once for everything that is asked for in the same turn, and answers each with its own", async () => {
  const { asked, read } = counted();
  expect(await Promise.all(["a", "b", "a", "missing"].map((key) => read(db, key)))).toEqual([
    "A",
    "B",
    "A",
    undefined,
  ]);
  expect(asked).toEqual([["a", "b", "missing"]]);
});

it("asks anew for whoever comes while an answer is on its way", async () => {
  const { asked, read } = counted();
  const first = read(db, "a");
  await nextTurn();
  const second = read(db, "a");
  expect(await Promise.all([first, second])).toEqual(["A", "A"]);
  expect(asked).toEqual([["a"], ["a"]]);
});

it("keeps databases apart", async () => {
  const { asked, read } = counted();
  await Promise.all([read(db, "a"), read(newDatabase(), "a")]);
  expect(asked).toEqual([["a"], ["a"]]);
});

it("tells everybody of a failure who asked, and nobody after them", async () => {
  const { read } = counted();
  const answers = await Promise.allSettled([read(db, "a"), read(db, "broken")]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(read(db, "a")).resolves.toBe("A");
});
