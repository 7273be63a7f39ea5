import { logGamma } from "./log-gamma.ts";
import type { RateCounts } from "./rate-counts.ts";

/** Two tables count as equally likely if the logarithms of their probabilities differ by less. */
const TOLERANCE = 1e-7;

/** Fisher's exact test of two rates, two-sided, as mid-p: of tables as likely as the observed one, half counts. */
export function fisherMidP(one: RateCounts, other: RateCounts): number {
  const failed = one.failed + other.failed;
  const all = logChoose(one.decisions + other.decisions, failed);
  const logProbability = (x: number) =>
    logChoose(one.decisions, x) + logChoose(other.decisions, failed - x) - all;
  const observed = logProbability(one.failed);
  let p = 0;
  for (let x = Math.max(0, failed - other.decisions); x <= Math.min(failed, one.decisions); x += 1) {
    const logP = logProbability(x);
    if (logP < observed - TOLERANCE) p += Math.exp(logP);
    else if (logP <= observed + TOLERANCE) p += Math.exp(logP) / 2;
  }
  return Math.min(1, p);
}

const logChoose = (n: number, k: number) => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
