import { expect, it } from "vitest";
import { compareMeans, meanInterval } from "./compare-means.ts";
import { meanBySession } from "./mean-by-session.ts";

const single = (values: readonly number[]) =>
  meanBySession(values.map((value, index) => ({ session: `${index}`, value })));

it("is Welch's test where each run is a session", () => {
  const { difference, p } = compareMeans(single([1, 2, 3, 4, 5, 6]), single([4, 5, 6, 7, 8, 12]));
  // t is 3.5 / √(3.5 / 6 + 8 / 6) = 2.528, with 8.67 degrees of freedom.
  expect(difference.value).toBeCloseTo(3.5, 10);
  expect(p).toBeGreaterThan(0.02);
  expect(p).toBeLessThan(0.05);
  expect(difference.low).toBeGreaterThan(0);
});

it("tells nothing from values that are all equal but whether they differ", () => {
  expect(compareMeans(single([1, 1, 1]), single([1, 1, 1]))).toEqual({
    difference: { value: 0, low: 0, high: 0 },
    p: 1,
  });
  expect(compareMeans(single([1, 1, 1]), single([2, 2, 2])).p).toBe(0);
});

it("has an interval that is wider for few sessions", () => {
  const { low, high, value } = meanInterval(single([1, 2, 3, 4]));
  expect(value).toBe(2.5);
  expect(high - value).toBeCloseTo(value - low, 10);
  // 3.18 standard errors, not 1.96.
  expect((high - value) / Math.sqrt(5 / 3 / 4)).toBeGreaterThan(3);
});
