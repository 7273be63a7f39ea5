import { expect, it } from "vitest";
import { holm } from "./holm.ts";

it("adjusts as Holm does, in the order of the input", () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005, 0.9]);
  expect(adjusted.map((p) => Number(p.toFixed(6)))).toEqual([0.04, 0.09, 0.09, 0.025, 0.9]);
  expect(holm([0.6, 0.7])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});
