import type { Interval } from "@whytrace/contract";
import { normalTail, Z_95 } from "./normal-tail.ts";
import type { RateCounts } from "./rate-counts.ts";

/** An option and what it is compared with, among decisions in the same situation. */
export interface ComparedStratum {
  option: RateCounts;
  rest: RateCounts;
}

export interface MantelHaenszel {
  /** How many times as likely a failure is after the option, in the same situation. */
  relativeRisk: Interval;
  /** Cochran's, Mantel's and Haenszel's test, with continuity correction, two-sided. */
  p: number;
  /** Whether the option fails more often than expected. */
  isWorse: boolean;
}

/**
 * Compares like with like: Mantel's and Haenszel's relative risk over strata, with Greenland's and Robins's 95 % interval.
 * Null if no stratum contains both.
 */
export function mantelHaenszel(strata: readonly ComparedStratum[]): MantelHaenszel | null {
  let risk = 0;
  let restRisk = 0;
  let riskVariance = 0;
  let excess = 0;
  let variance = 0;
  let comparable = 0;
  for (const { option, rest } of strata) {
    const [b1, n1, b0, n0] = [option.failed, option.decisions, rest.failed, rest.decisions];
    const total = n1 + n0;
    if (n1 <= 0 || n0 <= 0 || total <= 1) continue;
    comparable += 1;
    const failed = b1 + b0;
    risk += (b1 * n0) / total;
    restRisk += (b0 * n1) / total;
    riskVariance += (failed * n1 * n0 - b1 * b0 * total) / total ** 2;
    excess += b1 - (n1 * failed) / total;
    variance += (n1 * n0 * failed * (total - failed)) / (total ** 2 * (total - 1));
  }
  if (comparable === 0) return null;
  const z = variance > 0 ? Math.max(0, Math.abs(excess) - 0.5) / Math.sqrt(variance) : 0;
  return { relativeRisk: ratio(risk, restRisk, riskVariance), p: normalTail(z), isWorse: excess > 0 };
}

/** Half a failure is added on both sides if one has none, so that the result is finite. */
function ratio(risk: number, restRisk: number, variance: number): Interval {
  const added = risk === 0 || restRisk === 0 ? 0.5 : 0;
  const [one, other] = [risk + added, restRisk + added];
  const value = one / other;
  const error = Math.sqrt(Math.max(variance, added) / (one * other));
  return { value, low: value * Math.exp(-Z_95 * error), high: value * Math.exp(Z_95 * error) };
}
