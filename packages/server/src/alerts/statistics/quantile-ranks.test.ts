import { expect, it } from "vitest";
import { quantileRanks } from "./quantile-ranks.ts";

it("encloses the quantile, and stays inside the list", () => {
  expect(quantileRanks(1_000, 0.95)).toEqual({ low: 936, value: 950, high: 965 });
  expect(quantileRanks(60, 0.95)).toEqual({ low: 53, value: 57, high: 60 });
  expect(quantileRanks(1, 0.95)).toEqual({ low: 1, value: 1, high: 1 });
});
