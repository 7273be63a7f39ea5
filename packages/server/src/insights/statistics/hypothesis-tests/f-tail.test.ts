import { expect, it } from "vitest";
import { chiSquaredTail } from "./chi-squared-tail.ts";
import { fTail } from "./f-tail.ts";

it("gives closed forms of one and two degrees of freedom", () => {
  // Of F with 2 and n the tail is (1 + 2f/n)^(-n/2); with 1 and 1 it is Cauchy's.
  for (const [f, n] of [
    [0.3, 4],
    [3, 20],
    [40, 7],
    [6, 5_000],
  ] as const)
    expect(fTail(f, 2, n) / (1 + (2 * f) / n) ** (-n / 2)).toBeCloseTo(1, 9);
  expect(fTail(9, 1, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(3), 12);
});

it.each([
  [4.3512435033292896, 1, 20],
  [3.098391212396111, 3, 20],
])("gives 5 %% at its quantile %d with %d and %d degrees of freedom", (f, degreesOfFreedom, denominator) => {
  expect(fTail(f, degreesOfFreedom, denominator)).toBeCloseTo(0.05, 6);
});

it("approaches chi-squared with many degrees of freedom, and is certain at 0", () => {
  expect(fTail(4, 3, 1e7) / chiSquaredTail(12, 3)).toBeCloseTo(1, 4);
  expect(fTail(4, 3, Number.POSITIVE_INFINITY)).toBe(chiSquaredTail(12, 3));
  expect(fTail(0, 3, 10)).toBe(1);
});
