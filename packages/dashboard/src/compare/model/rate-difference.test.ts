import { expect, it } from "vitest";
import { rateDifference } from "./rate-difference.ts";

const rate = (failed: number, decisions: number, low: number, high: number) => ({
  failed,
  decisions,
  low,
  high,
  recovered: 0,
  runs: decisions,
  failedRuns: failed,
  recoveredRuns: 0,
});

it("gives the interval of a difference that Newcombe's paper gives for 56 of 70 and 48 of 80", () => {
  const difference = rateDifference(rate(56, 70, 0.6916, 0.8769), rate(48, 80, 0.4904, 0.7007));
  expect(difference).toEqual({ points: 20, low: 5, high: 33 });
});
