import { describe, expect, it } from "vitest";
import { foldGaps } from "./fold-gaps.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const interval = (startMs: number, lengthMs: number) => ({ startMs, endMs: startMs + lengthMs });

describe("an agent session's timeline", () => {
  it("is proportional to time when there are no gaps", () => {
    const positioned = foldGaps([interval(0, 3 * SECOND_MS), interval(3 * SECOND_MS, SECOND_MS)]);
    expect(positioned).toEqual([
      { startPercent: 0, widthPercent: 75, foldedMs: null },
      { startPercent: 75, widthPercent: 25, foldedMs: null },
    ]);
  });

  it("folds an hour between two turns and reports its length", () => {
    const [first, second] = foldGaps([
      interval(0, 10 * SECOND_MS),
      interval(HOUR_MS + 10 * SECOND_MS, 10 * SECOND_MS),
    ]);
    expect(second?.foldedMs).toBe(HOUR_MS);
    expect(first?.widthPercent).toBeCloseTo(48.5, 1);
    expect((second?.startPercent ?? 0) + (second?.widthPercent ?? 0)).toBeCloseTo(100);
  });

  it("does not fold a gap while another trace is running", () => {
    const positioned = foldGaps([
      interval(0, HOUR_MS),
      interval(SECOND_MS, SECOND_MS),
      interval(HOUR_MS - 1, SECOND_MS),
    ]);
    expect(positioned.every(({ foldedMs }) => foldedMs === null)).toBe(true);
  });

  it("leaves most of the width to the traces, for any number of gaps", () => {
    const positioned = foldGaps(Array.from({ length: 100 }, (_, i) => interval(i * HOUR_MS, SECOND_MS)));
    expect(positioned.reduce((sum, { widthPercent }) => sum + widthPercent, 0)).toBeGreaterThan(70);
  });

  it("stays within 100% when no duration is known", () => {
    const positioned = foldGaps([interval(0, 0), interval(HOUR_MS, 0), interval(2 * HOUR_MS, 0)]);
    expect(positioned.map(({ startPercent }) => startPercent)).toEqual([0, 50, 100]);
  });
});
