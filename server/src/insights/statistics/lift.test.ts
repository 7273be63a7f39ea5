import { expect, it } from "vitest";
import { lift } from "./lift.ts";

it("compares the rates, with an interval that is symmetric in its logarithm", () => {
  const { value, low, high } = lift({ failed: 30, decisions: 100 }, { failed: 30, decisions: 300 });
  expect(value).toBeCloseTo(30.5 / 100.5 / (30.5 / 300.5), 10);
  expect(value / low).toBeCloseTo(high / value, 10);
  expect(low).toBeGreaterThan(1);
});

it("is finite without failures, and uncertain with few", () => {
  const { value, low, high } = lift({ failed: 0, decisions: 20 }, { failed: 1, decisions: 20 });
  expect(value).toBeGreaterThan(0);
  expect(low).toBeLessThan(0.1);
  expect(high).toBeGreaterThan(5);
});
