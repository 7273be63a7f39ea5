import type { Rate } from "@whytrace/contract";
import { expect, it } from "vitest";
import { differenceOfRates } from "./difference-of-rates.ts";

const rate = (failed: number, decisions: number, low: number, high: number): Rate => ({
  decisions,
  failed,
  recovered: 0,
  runs: decisions,
  failedRuns: failed,
  recoveredRuns: 0,
  low,
  high,
});

it("gives Newcombe's interval of 56/70 against 48/80, as published", () => {
  const { value, low, high } = differenceOfRates(rate(56, 70, 0.6916, 0.8769), rate(48, 80, 0.4905, 0.7004));
  expect(value).toBeCloseTo(0.2, 4);
  expect(low).toBeCloseTo(0.0524, 3);
  expect(high).toBeCloseTo(0.3339, 3);
});
