import { expect, it } from "vitest";
import { turnBuckets } from "./turn-buckets.ts";

const runs = (count: number, length: number, isBad = false) =>
  Array.from({ length: count }, () => ({ turns: Array.from({ length }, () => [0]), isBad }));

it("holds the first turn alone, and later ones until there are enough to compare", () => {
  // Of 100 runs a bucket holds 500 turns: five of each run.
  expect(turnBuckets(runs(100, 12))).toEqual([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3]);
});

it("is finer the more runs there are", () => {
  // Of 2,500 runs a bucket holds 2,500 turns: one of each run.
  expect(turnBuckets(runs(2_500, 5))).toEqual([0, 1, 2, 3, 4]);
});

it("holds all turns together that few good runs reach", () => {
  const buckets = turnBuckets([...runs(2_400, 3), ...runs(100, 6), ...runs(2_500, 8, true)]);
  expect(buckets).toEqual([0, 1, 2, 2, 2, 2, 2, 2]);
});

it("is empty without turns", () => {
  expect(turnBuckets([])).toEqual([]);
  expect(turnBuckets(runs(3, 0))).toEqual([]);
});
