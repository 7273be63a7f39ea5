import { expect, it } from "vitest";
import { baselineOf, comparePast, tailOf } from "./past-test.ts";

const baseline = { runs: 10_000, bad: 1_000, overdispersion: 1 };

it("is the tail of the binomial distribution where windows differ by chance only", () => {
  // P(X ≥ 20 | 100, 0.1), by summing the distribution: 0.0019786.
  expect(tailOf({ runs: 100, bad: 20 }, { ...baseline, runs: 1e9, bad: 1e8 })).toBeCloseTo(0.0019786, 6);
  expect(tailOf({ runs: 100, bad: 0 }, baseline)).toBe(1);
});

it("is less sure where windows differ more", () => {
  const window = { runs: 100, bad: 30 };
  const sure = tailOf(window, baseline);
  expect(tailOf(window, { ...baseline, overdispersion: 3 })).toBeGreaterThan(sure * 100);
});

it("fires on a clear rise, not on a small one however sure, and not on few bad runs", () => {
  expect(comparePast({ runs: 100, bad: 30 }, baseline, "normal")).toEqual({ isMet: true, isClear: false });
  // 4 points more, in very many runs.
  expect(comparePast({ runs: 1e6, bad: 140_000 }, baseline, "high").isMet).toBe(false);
  expect(comparePast({ runs: 20, bad: 4 }, { runs: 1e6, bad: 1, overdispersion: 1 }, "high").isMet).toBe(
    false,
  );
  expect(comparePast({ runs: 100, bad: 10 }, baseline, "normal")).toEqual({ isMet: false, isClear: true });
});

it("needs more for a lower sensitivity", () => {
  const window = { runs: 100, bad: 25 };
  const isMet = (["high", "normal", "low"] as const).map((one) => comparePast(window, baseline, one).isMet);
  expect(isMet).toEqual([true, false, false]);
});

it("finds how much windows differ, and does not let a few windows decide", () => {
  const alike = Array.from({ length: 300 }, (_, i) => ({ runs: 100, bad: i % 2 === 0 ? 7 : 13 }));
  expect(baselineOf(alike)).toMatchObject({ runs: 30_000, bad: 3_000, overdispersion: 1 });
  const apart = Array.from({ length: 300 }, (_, i) => ({ runs: 100, bad: i % 2 === 0 ? 0 : 20 }));
  expect(baselineOf(apart).overdispersion).toBeGreaterThan(10);
  expect(
    baselineOf([
      { runs: 100, bad: 0 },
      { runs: 100, bad: 20 },
    ]).overdispersion,
  ).toBeLessThan(3);
  expect(baselineOf([])).toEqual({ runs: 0, bad: 0, overdispersion: 1 });
});
