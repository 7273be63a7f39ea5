import { describe, expect, it } from "vitest";
import { axisTicks } from "./axis-ticks.ts";

describe("axis ticks", () => {
  it.each([
    [0, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 25, 50, 75, 100]],
    [0.0042, [0, 0.002, 0.004, 0.006]],
    [61_000, [0, 20_000, 40_000, 60_000, 80_000]],
  ])("for %d are round and reach at least that value", (max, expected) => {
    const actual = axisTicks(max);
    expect(actual).toHaveLength(expected.length);
    for (const [index, value] of expected.entries()) expect(actual[index]).toBeCloseTo(value, 10);
  });

  it("are integers if the values are integers", () => {
    expect(axisTicks(1, 4, true)).toEqual([0, 1]);
    expect(axisTicks(3, 4, true)).toEqual([0, 1, 2, 3]);
    expect(axisTicks(10, 4, true)).toEqual([0, 3, 6, 9, 12]);
  });
});
