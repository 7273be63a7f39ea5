import { expect, it } from "vitest";
import { chiSquaredTail } from "./chi-squared-tail.ts";

it.each([
  [0, 1, 1],
  [0.001, 1, 0.9747728793699604],
  [0.5, 3, 0.9188914116546758],
  [3.841458820694124, 1, 0.05],
  [11.07, 5, 0.050009618622405425],
  [40, 20, 0.0049954123083075785],
  [100, 1, 1.5239706048320995e-23],
])("gives the probability of %d and more with %d degrees of freedom", (x, degreesOfFreedom, expected) => {
  expect(chiSquaredTail(x, degreesOfFreedom) / expected).toBeCloseTo(1, 10);
});
