import { expect, it } from "vitest";
import { adjustPValues } from "./adjust-p-values.ts";

it("adjusts as Benjamini and Hochberg do, in the order of the input", () => {
  const adjusted = adjustPValues([0.01, 0.04, 0.03, 0.005, 0.9]);
  expect(adjusted.map((q) => Number(q.toFixed(6)))).toEqual([0.025, 0.05, 0.05, 0.025, 0.9]);
  expect(adjustPValues([])).toEqual([]);
});
