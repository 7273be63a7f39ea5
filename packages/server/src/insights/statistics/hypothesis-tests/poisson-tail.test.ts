import { expect, it } from "vitest";
import { poissonTail } from "./poisson-tail.ts";

it.each([
  [1, 0.5, 1 - Math.exp(-0.5)],
  [3, 1, 1 - 2.5 * Math.exp(-1)],
  [2, 30, 1 - 31 * Math.exp(-30)],
])("gives the probability of %d or more where %d are expected", (count, mean, expected) => {
  expect(poissonTail(count, mean) / expected).toBeCloseTo(1, 10);
});

it("tells tails far below the precision of 1 apart", () => {
  // Of tails this small the first term is nearly all.
  const first = Math.exp(-0.01) * 0.01 ** 10;
  const factorial = 3_628_800;
  expect(poissonTail(10, 0.01) / (first / factorial)).toBeCloseTo(1, 2);
});

it("lies between those of whole numbers, and is certain for none", () => {
  expect(poissonTail(2.5, 2)).toBeLessThan(poissonTail(2, 2));
  expect(poissonTail(2.5, 2)).toBeGreaterThan(poissonTail(3, 2));
  expect(poissonTail(0, 2)).toBe(1);
  expect(poissonTail(-1, 2)).toBe(1);
  expect(poissonTail(1, 0)).toBe(0);
});
