import { describe, expect, it } from "vitest";
import { stackShares } from "./stack-shares.ts";

const days = (...counts: number[][]) => counts.map((one) => ({ counts: one }));

describe("stacked shares", () => {
  it("are means of three days, in which a day counts as much as it has decisions", () => {
    expect(stackShares(days([3, 1], [0, 4], [0, 0]))).toEqual([
      [3 / 8, 1],
      [3 / 8, 1],
      [0, 1],
    ]);
  });

  it("repeat the last known day where there is nothing to count", () => {
    expect(stackShares(days([0], [0], [1], [0], [0], [0])).map(([top]) => top)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(stackShares(days([0, 0]))).toEqual([[0, 0]]);
    expect(stackShares([])).toEqual([]);
  });
});
