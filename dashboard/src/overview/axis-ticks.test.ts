import { describe, expect, it } from "vitest";
import { ticks } from "./axis-ticks.ts";

describe("the values at a chart's side", () => {
  it.each([
    [0, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 25, 50, 75, 100]],
    [0.0042, [0, 0.002, 0.004, 0.006]],
    [61_000, [0, 20_000, 40_000, 60_000, 80_000]],
  ])("for %d are round and reach over it", (highest, expected) => {
    const found = ticks(highest);
    expect(found).toHaveLength(expected.length);
    for (const [index, value] of expected.entries()) expect(found[index]).toBeCloseTo(value, 10);
  });

  it("are whole where only whole ones make sense", () => {
    expect(ticks(1, 4, true)).toEqual([0, 1]);
    expect(ticks(3, 4, true)).toEqual([0, 1, 2, 3]);
    expect(ticks(10, 4, true)).toEqual([0, 3, 6, 9, 12]);
  });
});
