import { expect, it } from "vitest";
import { logGamma } from "./log-gamma.ts";

it.each([
  [0.1, 2.252712651734206],
  [0.5, 0.5723649429247],
  [1, 0],
  [10, 12.801827480081469],
  [100.5, 361.43554046777757],
  [1e5, 1051287.7089736569],
])("gives the logarithm of the gamma function of %d", (x, expected) => {
  expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-13 * Math.max(1, expected));
});
