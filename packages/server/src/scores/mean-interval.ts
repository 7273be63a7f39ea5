import { studentQuantile95 } from "../insights/statistics/hypothesis-tests/student-t.ts";

/** 95 % interval of the mean over runs, by Student's t; unknown below two runs. */
export function meanInterval(mean: number | null, deviation: number | null, runs: number) {
  if (mean === null || deviation === null || runs < 2) return { low: null, high: null };
  const reach = (studentQuantile95(runs - 1) * deviation) / Math.sqrt(runs);
  return { low: mean - reach, high: mean + reach };
}
