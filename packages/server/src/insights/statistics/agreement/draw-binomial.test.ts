import { expect, it } from "vitest";
import { seededRandom } from "../hypothesis-tests/seeded-random.ts";
import { drawBinomial } from "./draw-binomial.ts";

it.each([
  [20, 0.1],
  [20, 0.9],
  [400, 0.3],
  [20_000, 0.999],
  [1, 0.5],
])("has the mean and variance of %d trials of probability %d", (trials, probability) => {
  const random = seededRandom(1);
  const draws = Array.from({ length: 4_000 }, () => drawBinomial(trials, probability, random));
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
  const expected = trials * probability * (1 - probability);
  expect(Math.abs(mean - trials * probability)).toBeLessThan(4 * Math.sqrt(expected / draws.length));
  expect(variance / expected).toBeGreaterThan(0.85);
  expect(variance / expected).toBeLessThan(1.15);
});

it("is certain at the ends", () => {
  const random = seededRandom(1);
  expect([drawBinomial(7, 0, random), drawBinomial(7, 1, random), drawBinomial(0, 0.5, random)]).toEqual([
    0, 7, 0,
  ]);
});
