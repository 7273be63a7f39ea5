import { describe, expect, it } from "vitest";
import { formatRoundDuration, ROUND_DURATIONS_MS } from "../format/round-duration.ts";
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
    const isInteger = true;
    expect(axisTicks(1, { isInteger })).toEqual([0, 1]);
    expect(axisTicks(3, { isInteger })).toEqual([0, 1, 2, 3]);
    expect(axisTicks(10, { isInteger })).toEqual([0, 3, 6, 9, 12]);
  });

  it.each([
    [0, ["0", "1 ms"]],
    [840, ["0", "300 ms", "600 ms", "900 ms"]],
    [61_000, ["0", "20 s", "40 s", "1 m", "1 m 20 s"]],
    [1_200_000, ["0", "5 m", "10 m", "15 m", "20 m"]],
    [3_500_000, ["0", "15 m", "30 m", "45 m", "1 h"]],
    [20_000_000, ["0", "2 h", "4 h", "6 h"]],
  ])("of a duration of %d ms are minutes and hours as people count them", (max, expected) => {
    expect(axisTicks(max, { steps: ROUND_DURATIONS_MS }).map(formatRoundDuration)).toEqual(expected);
  });
});
