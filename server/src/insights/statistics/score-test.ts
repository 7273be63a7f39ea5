import { normalTail } from "./normal-tail.ts";
import type { RateCounts } from "./rate-counts.ts";

/** The two-sided score test of two rates: their difference in standard errors of the pooled rate. For large counts. */
export function scoreTest(one: RateCounts, other: RateCounts): number {
  if (one.decisions <= 0 || other.decisions <= 0) return 1;
  const pooled = (one.failed + other.failed) / (one.decisions + other.decisions);
  const variance = pooled * (1 - pooled) * (1 / one.decisions + 1 / other.decisions);
  if (variance <= 0) return 1;
  return normalTail((one.failed / one.decisions - other.failed / other.decisions) / Math.sqrt(variance));
}
