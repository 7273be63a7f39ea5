import { fisherMidP } from "./fisher-mid-p.ts";
import type { RateCounts } from "./rate-counts.ts";
import { scoreTest } from "./score-test.ts";

/** The score test is used where at least so many failures and successes are expected on either side. */
const MIN_EXPECTED = 10;

/** The probability of so large a difference between two rates by chance: exact for small counts, else the score test. */
export function compareRates(one: RateCounts, other: RateCounts): number {
  const decisions = one.decisions + other.decisions;
  if (one.decisions <= 0 || other.decisions <= 0) return 1;
  const pooled = (one.failed + other.failed) / decisions;
  if (pooled <= 0 || pooled >= 1) return 1;
  const expected = Math.min(one.decisions, other.decisions) * Math.min(pooled, 1 - pooled);
  if (expected >= MIN_EXPECTED) return scoreTest(one, other);
  return fisherMidP(wholeCounts(one, pooled), wholeCounts(other, pooled));
}

/** The exact test needs integers: rounds so that the rate moves towards the pooled one, which never adds significance. */
function wholeCounts(counts: RateCounts, pooled: number): RateCounts {
  const decisions = Math.floor(counts.decisions);
  const failed = (counts.failed / counts.decisions) * decisions;
  const isAbove = failed > pooled * decisions;
  const rounding = 1e-9 * decisions;
  return { decisions, failed: isAbove ? Math.floor(failed + rounding) : Math.ceil(failed - rounding) };
}
