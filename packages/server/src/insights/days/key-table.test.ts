import { expect, it } from "vitest";
import { KeyTable } from "./key-table.ts";

it("numbers keys in the order in which they come, however many there are", () => {
  const table = new KeyTable(10_000);
  // The same numbers in another order are another key.
  const keys = Array.from({ length: 3_000 }, (_, n) => [n % 7, (n * 2_654_435_761) >>> 0, n % 3] as const);
  expect(keys.map((key) => table.add(...key))).toEqual(keys.map((_, row) => row));
  expect(keys.map((key) => table.add(...key))).toEqual(keys.map((_, row) => row));
  expect(table.size).toBe(3_000);
  expect(table.find(1, 2, 3)).toBe(-1);
  expect([0, 1, 2].map((index) => table.key(2_999, index as 0 | 1 | 2))).toEqual(keys[2_999]);
});

it("has no room for more keys than it was made for, and still finds those it has", () => {
  const table = new KeyTable(2);
  expect([table.add(1, 0, 0), table.add(2, 0, 0), table.add(3, 0, 0), table.add(2, 0, 0)]).toEqual([
    0, 1, -1, 1,
  ]);
  expect(table.size).toBe(2);
});
