import { expect, it } from "vitest";
import { ratioOfSums } from "./ratio-of-sums.ts";

it("is the ratio of both sums, and certain if it is the same in each round", () => {
  expect(ratioOfSums([2, 4, 6], [1, 2, 3])).toEqual({ ratio: 2, low: 2, high: 2 });
});

it("has an interval that contains it, wider if rounds differ more", () => {
  const base = [10, 10, 10, 10, 10, 10, 10, 10];
  const calm = ratioOfSums([10, 11, 10, 11, 10, 11, 10, 11], base);
  const noisy = ratioOfSums([6, 15, 6, 15, 6, 15, 6, 15], base);
  for (const { ratio, low, high } of [calm, noisy]) {
    expect(ratio).toBeCloseTo(1.05);
    expect(low).toBeLessThan(ratio);
    expect(high).toBeGreaterThan(ratio);
  }
  expect(noisy.high - noisy.low).toBeGreaterThan(3 * (calm.high - calm.low));
});
