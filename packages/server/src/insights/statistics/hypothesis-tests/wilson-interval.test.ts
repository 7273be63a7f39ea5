import { DecisionSimulator } from "@whytrace/testing/samples/simulated-decisions.ts";
import { expect, it } from "vitest";
import { studentQuantile95 } from "./student-t.ts";
import { wilsonInterval, wilsonIntervalBySession } from "./wilson-interval.ts";

it("gives Wilson's interval", () => {
  const { value, low, high } = wilsonInterval(10, 100);
  expect(value).toBe(0.1);
  expect(low).toBeCloseTo(0.05523, 5);
  expect(high).toBeCloseTo(0.17437, 5);
});

it("stays between 0 and 1, and contains the rate", () => {
  expect(wilsonInterval(0, 20)).toEqual({ value: 0, low: 0, high: expect.closeTo(0.16113, 5) });
  expect(wilsonInterval(20, 20)).toEqual({ value: 1, low: expect.closeTo(0.83887, 5), high: 1 });
  expect(wilsonInterval(0, 0)).toEqual({ value: 0, low: 0, high: 1 });
});

it("is as wide as for so many runs if all decisions of a run end alike, with Student's quantile", () => {
  // 50 runs of 4 decisions; in 10 runs all fail.
  const sums = {
    sessions: 50,
    decisions: 200,
    failed: 40,
    decisionSquares: 800,
    products: 160,
    failedSquares: 160,
    failedShares: 40,
  };
  const { low, high } = wilsonIntervalBySession(sums);
  const alone = wilsonInterval(10, 50, studentQuantile95(49));
  expect(low).toBeCloseTo(alone.low, 2);
  expect(high).toBeCloseTo(alone.high, 2);
});

it("counts runs, not decisions, if no decision failed", () => {
  const sums = {
    sessions: 5,
    decisions: 100,
    failed: 0,
    decisionSquares: 2_000,
    products: 0,
    failedSquares: 0,
    failedShares: 0,
  };
  const { low, high } = wilsonIntervalBySession(sums);
  expect(low).toBe(0);
  expect(high).toBeGreaterThan(wilsonInterval(0, 5).high);
});

it.each([0.1, 0.5, 0.95])(
  "contains the true rate in about 95 of 100 cases if decisions of a run have a correlation of %d",
  (correlation) => {
    const simulator = new DecisionSimulator(3);
    let hits = 0;
    for (let i = 0; i < 400; i += 1) {
      const [option] = simulator.signature({
        runs: 200,
        maxRepeats: 20,
        correlation,
        situations: [{ weight: 1, shares: [1], failureRates: [0.1] }],
      });
      const { low, high } = wilsonIntervalBySession(option?.sums ?? NO_SUMS);
      if (low <= 0.1 && 0.1 <= high) hits += 1;
    }
    expect(hits).toBeGreaterThan(368);
    expect(hits).toBeLessThan(392);
  },
);

it("is wider if small sessions end alike, although the largest one ended like the mean of all", () => {
  // 100 sessions of 3 decisions, and one of 300. In 10 of the small ones all failed; of the large one, a tenth.
  const sums = {
    sessions: 101,
    decisions: 600,
    failed: 60,
    decisionSquares: 90_900,
    products: 9_090,
    failedSquares: 990,
    failedShares: 33,
  };
  const plain = wilsonInterval(60, 600);
  expect(wilsonIntervalBySession(sums).high).toBeGreaterThan(2 * plain.high);
});

const NO_SUMS = {
  sessions: 0,
  decisions: 0,
  failed: 0,
  decisionSquares: 0,
  products: 0,
  failedSquares: 0,
  failedShares: 0,
};
