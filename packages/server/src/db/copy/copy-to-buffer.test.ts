import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { createPool } from "../database.ts";
import { copyToBuffer } from "./copy-to-buffer.ts";
import { readArray, readCopiedRows, readInteger, readText } from "./read-copied-rows.ts";

const pool = createPool(await createTestDatabase(), { max: 1 });
afterAll(() => pool.end());

const copy = async (
  queries: Parameters<typeof copyToBuffer>[1],
  options: Parameters<typeof copyToBuffer>[2],
) => {
  const client = await pool.connect();
  try {
    return await copyToBuffer(client, queries, options);
  } finally {
    client.release();
  }
};

it("copies the rows of several queries one after the other, and reads them", async () => {
  const queries = [
    sql`select n, 'é' || n from generate_series(1, 3) as n`,
    sql`select 1 where false`,
    sql`select array['a', null, 'c'], array[7, 8], null::text[]`,
  ];
  const copied = await copy(queries, { maxBytes: 10_000 });
  if (!copied) return expect.fail();
  const { bytes, results } = copied;
  const [first, second, third] = results.map((range) => [...readCopiedRows(bytes, range)]);
  expect(first?.map(([n, text]) => [readInteger(bytes, n), readText(bytes, text)])).toEqual([
    [1, "é1"],
    [2, "é2"],
    [3, "é3"],
  ]);
  expect(second).toEqual([]);
  const [texts, numbers, nothing] = third?.[0] ?? [];
  if (!texts || !numbers || !nothing) return expect.fail();
  expect(readArray(bytes, texts).map((one) => (one.start < 0 ? null : readText(bytes, one)))).toEqual([
    "a",
    null,
    "c",
  ]);
  expect(readArray(bytes, numbers).map((one) => readInteger(bytes, one))).toEqual([7, 8]);
  expect(readArray(bytes, nothing)).toEqual([]);
});

it("uses memory that it is given, and more if it needs more", async () => {
  const memory = new ArrayBuffer(1_000);
  const small = await copy([sql`select 1`], { maxBytes: 1e6, memory });
  expect(small?.bytes.buffer).toBe(memory);
  const large = await copy([sql`select repeat('x', 300000)`], { maxBytes: 1e6, memory });
  if (!large) return expect.fail();
  const [range] = large.results;
  const [row] = range ? readCopiedRows(large.bytes, range) : [];
  expect(readText(large.bytes, row?.[0])).toBe("x".repeat(300_000));
});

it("returns nothing if there is too much, and the pool goes on with another connection", async () => {
  const many = sql`select repeat('x', 1000) from generate_series(1, 100000)`;
  expect(await copy([many, sql`select 1`], { maxBytes: 50_000 })).toBeUndefined();
  expect(await copy([sql`select 1`], { maxBytes: 50_000 })).toBeDefined();
});

it("throws PostgreSQL's error", async () => {
  await expect(copy([sql`select 1 / 0`], { maxBytes: 1_000 })).rejects.toThrow("division by zero");
  expect(await copy([sql`select 1`], { maxBytes: 1_000 })).toBeDefined();
});
