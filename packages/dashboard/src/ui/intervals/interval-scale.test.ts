import { describe, expect, it } from "vitest";
import { linearScale, logarithmicScale, rateScale } from "./interval-scale.ts";

describe("a linear scale", () => {
  it("holds all values and 0, and has round ticks on both sides", () => {
    const scale = linearScale([-23, 116, 97]);
    expect(scale.ticks).toEqual([0, 50, 100]);
    expect(scale.position(-23)).toBeLessThan(0.05);
    expect(scale.position(-200)).toBe(0);
    expect(scale.position(116)).toBeGreaterThan(0.95);
    expect(linearScale([-120, 60]).ticks).toEqual([-100, -50, 0, 50]);
  });

  it("draws what lies outside at its edge, also without any value", () => {
    expect(linearScale([]).position(7)).toBe(1);
    expect(linearScale([10]).position(-3)).toBe(0);
  });
});

describe("a scale of rates", () => {
  it("ends with a round number of per cent, at most 100", () => {
    expect(rateScale([0.57]).ticks).toEqual([0, 0.2, 0.4, expect.closeTo(0.6, 10)]);
    expect(rateScale([1]).ticks.at(-1)).toBe(1);
    expect(rateScale([]).ticks.at(-1)).toBe(0.01);
  });
});

describe("a logarithmic scale", () => {
  it("gives each factor the same width, and takes only the ticks in between", () => {
    const scale = logarithmicScale([1, 100], [0, 1, 10, 100, 1_000]);
    expect(scale.ticks).toEqual([1, 10, 100]);
    expect(scale.position(10)).toBeCloseTo(0.5);
    expect(scale.position(0)).toBe(0);
  });
});
