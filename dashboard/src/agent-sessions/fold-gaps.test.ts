import { describe, expect, it } from "vitest";
import { foldGaps } from "./fold-gaps.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const run = (startMs: number, lengthMs: number) => ({ startMs, endMs: startMs + lengthMs });

describe("a session's timeline", () => {
  it("keeps proportions where nothing is idle", () => {
    const placed = foldGaps([run(0, 3 * SECOND_MS), run(3 * SECOND_MS, SECOND_MS)]);
    expect(placed).toEqual([
      { startPercent: 0, widthPercent: 75, foldedMs: null },
      { startPercent: 75, widthPercent: 25, foldedMs: null },
    ]);
  });

  it("folds an hour between two turns and says how long it was", () => {
    const [first, second] = foldGaps([run(0, 10 * SECOND_MS), run(HOUR_MS + 10 * SECOND_MS, 10 * SECOND_MS)]);
    expect(second?.foldedMs).toBe(HOUR_MS);
    expect(first?.widthPercent).toBeCloseTo(48.5, 1);
    expect((second?.startPercent ?? 0) + (second?.widthPercent ?? 0)).toBeCloseTo(100);
  });

  it("does not fold while another trace still runs", () => {
    const placed = foldGaps([run(0, HOUR_MS), run(SECOND_MS, SECOND_MS), run(HOUR_MS - 1, SECOND_MS)]);
    expect(placed.every(({ foldedMs }) => foldedMs === null)).toBe(true);
  });

  it("leaves most of the line to the traces, however many gaps there are", () => {
    const placed = foldGaps(Array.from({ length: 100 }, (_, i) => run(i * HOUR_MS, SECOND_MS)));
    expect(placed.reduce((sum, { widthPercent }) => sum + widthPercent, 0)).toBeGreaterThan(70);
  });

  it("stays on the line when no duration is known", () => {
    const placed = foldGaps([run(0, 0), run(HOUR_MS, 0), run(2 * HOUR_MS, 0)]);
    expect(placed.map(({ startPercent }) => startPercent)).toEqual([0, 50, 100]);
  });
});
