import { expect, it } from "vitest";
import { wilsonInterval } from "./wilson-interval.ts";

it.each([
  [56, 70, 0.6916, 0.8769],
  [0, 10, 0, 0.2775],
  [0, 0, 0, 1],
])("%i of %i lie between known bounds", (count, total, low, high) => {
  expect(wilsonInterval(count, total).low).toBeCloseTo(low, 3);
  expect(wilsonInterval(count, total).high).toBeCloseTo(high, 3);
});
