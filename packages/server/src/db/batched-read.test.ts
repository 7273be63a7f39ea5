import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { batchedRead } from "./batched-read.ts";
import type { Database } from "./database.ts";
import { createDatabase, createPool } from "./database.ts";

const newDatabase = () => createDatabase(createPool("postgres://nobody@127.0.0.1:1/none"));
const db = newDatabase();

function recordingRead() {
  const queries: string[][] = [];
  const read = batchedRead(async (_: Database, keys: string[]) => {
    queries.push(keys);
    if (keys.includes("broken")) throw new Error("The database is away");
    return new Map(keys.filter((key) => key !== "missing").map((key) => [key, key.toUpperCase()]));
  });
  return { queries, read };
}

it("runs one query for all keys requested in the same iteration of the event loop, and returns each caller its own value", async () => {
  const { queries, read } = recordingRead();
  expect(await Promise.all(["a", "b", "a", "missing"].map((key) => read(db, key)))).toEqual([
    "A",
    "B",
    "A",
    undefined,
  ]);
  expect(queries).toEqual([["a", "b", "missing"]]);
});

it("runs a new query for a read that comes while another query is running", async () => {
  const { queries, read } = recordingRead();
  const first = read(db, "a");
  await nextEventLoopTurn();
  const second = read(db, "a");
  expect(await Promise.all([first, second])).toEqual(["A", "A"]);
  expect(queries).toEqual([["a"], ["a"]]);
});

it("does not batch reads of different databases", async () => {
  const { queries, read } = recordingRead();
  await Promise.all([read(db, "a"), read(newDatabase(), "a")]);
  expect(queries).toEqual([["a"], ["a"]]);
});

it("rejects every read of a failed batch, and no later read", async () => {
  const { read } = recordingRead();
  const results = await Promise.allSettled([read(db, "a"), read(db, "broken")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(read(db, "a")).resolves.toBe("A");
});
