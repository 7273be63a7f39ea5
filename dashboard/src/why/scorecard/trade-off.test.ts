import type { ScorecardOption } from "@whytrace/contract";
import { expect, it } from "vitest";
import { tradeOff } from "./trade-off.ts";

const around = (p50: number) => ({ p5: p50, p25: p50, p50, p75: p50, p95: p50 });
const option = (name: string, durationMs: number | null, costUsd: number | null): ScorecardOption => ({
  step: name,
  name,
  open: 0,
  offered: 0,
  lift: null,
  rate: { decisions: 0, failed: 0, recovered: 0, runs: 0, failedRuns: 0, recoveredRuns: 0, low: 0, high: 0 },
  costUsd: costUsd === null ? null : around(costUsd),
  durationMs: durationMs === null ? null : around(durationMs),
  verdicts: { right: 0, wrong: 0 },
});

it.each([
  [option("api", 5_130, 2), option("human", 129_000, 1), "human took 25 times as long."],
  [
    option("api", 1_000, 1),
    option("human", 1_600, 4),
    "human took 1.6 times as long and cost 4 times as much.",
  ],
  [option("api", 1_000, 1), option("human", 1_400, 1), ""],
  [option("api", null, 0), option("human", 1_400, null), ""],
])("names what the better option costs, if it is much: %#", (worst, best, sentence) => {
  expect(tradeOff(worst, best)).toBe(sentence);
});
