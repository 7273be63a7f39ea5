import { expect, it } from "vitest";
import { compareRates } from "./compare-rates.ts";
import { fisherMidP } from "./fisher-mid-p.ts";
import { scoreTest } from "./score-test.ts";

const counts = (failed: number, decisions: number) => ({ failed, decisions });

it.each([
  [counts(3, 4), counts(1, 4), 0.2571428571428571],
  [counts(7, 30), counts(40, 500), 0.007138019417933782],
  [counts(0, 25), counts(30, 200), 0.019706838224987824],
])("tests small counts exactly: %o and %o", (one, other, expected) => {
  expect(fisherMidP(one, other)).toBeCloseTo(expected, 10);
  expect(compareRates(one, other)).toBeCloseTo(expected, 10);
  expect(compareRates(other, one)).toBeCloseTo(expected, 10);
});

it("tests large counts by the score", () => {
  expect(scoreTest(counts(40, 200), counts(60, 600))).toBeCloseTo(0.00021282941901437674, 12);
  expect(compareRates(counts(40, 200), counts(60, 600))).toBeCloseTo(0.00021282941901437674, 12);
});

it("finds nothing where there is nothing to compare", () => {
  expect(compareRates(counts(0, 0), counts(5, 50))).toBe(1);
  expect(compareRates(counts(0, 50), counts(0, 50))).toBe(1);
  expect(compareRates(counts(50, 50), counts(30, 30))).toBe(1);
});

it("does not become more certain when fractions are rounded", () => {
  const whole = compareRates(counts(5, 25), counts(2, 100));
  expect(compareRates(counts(4.9, 24.5), counts(1.99, 99.5))).toBeGreaterThanOrEqual(whole);
});
