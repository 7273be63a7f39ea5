import { expect, it } from "vitest";
import { histogramQuantiles } from "./histogram-quantiles.ts";

it("interpolates within buckets", () => {
  // 100 values spread evenly from 0 to 100, in buckets of 10.
  const counts = Array.from({ length: 10 }, () => 10);
  const quantiles = histogramQuantiles(counts, (bucket) => 10 * bucket);
  expect(quantiles).toEqual({ p5: 5, p25: 25, p50: 50, p75: 75, p95: 95 });
});

it("is null without values, and stays within the only bucket", () => {
  expect(histogramQuantiles([0, 0], (bucket) => bucket)).toBeNull();
  const { p5, p95 } = histogramQuantiles([0, 3, 0], (bucket) => bucket) ?? {};
  expect(p5).toBeGreaterThanOrEqual(1);
  expect(p95).toBeLessThanOrEqual(2);
});
