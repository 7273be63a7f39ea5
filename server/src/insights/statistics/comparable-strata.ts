import { MIN_COMPARED_DECISIONS } from "@whytrace/contract";
import type { ComparedStratum } from "./mantel-haenszel.ts";
import type { RateCounts } from "./rate-counts.ts";
import type { StratumCounts } from "./why-input.ts";

/** What followed an option, by situation. */
export interface OptionCounts {
  step: number;
  overall: RateCounts;
  strata: StratumCounts;
  /** Counts are divided by it in intervals and tests. */
  designEffect: number;
}

/**
 * The strata where both options were chosen 20 times. The other strata are pooled, and left out if that is still too few. If
 * none remains, all decisions are one stratum.
 */
export function comparableStrata(option: OptionCounts, alternative: OptionCounts): ComparedStratum[] {
  const strata: ComparedStratum[] = [];
  const pooled = { option: { decisions: 0, failed: 0 }, rest: { decisions: 0, failed: 0 } };
  for (let i = 0; i < option.strata.decisions.length; i += 1) {
    const [one, rest] = [decisionsIn(option, i), decisionsIn(alternative, i)];
    if (Math.min(one, rest) >= MIN_COMPARED_DECISIONS)
      strata.push({ option: countsIn(option, i), rest: countsIn(alternative, i) });
    else {
      pooled.option.decisions += one;
      pooled.option.failed += failedIn(option, i);
      pooled.rest.decisions += rest;
      pooled.rest.failed += failedIn(alternative, i);
    }
  }
  if (Math.min(pooled.option.decisions, pooled.rest.decisions) >= MIN_COMPARED_DECISIONS) strata.push(pooled);
  return strata.length > 0 ? strata : [{ option: option.overall, rest: alternative.overall }];
}

const decisionsIn = ({ strata }: OptionCounts, stratum: number) => strata.decisions[stratum] ?? 0;
const failedIn = ({ strata }: OptionCounts, stratum: number) => strata.failed[stratum] ?? 0;

/** What followed an option in one stratum. */
export const countsIn = (option: OptionCounts, stratum: number): RateCounts => ({
  decisions: decisionsIn(option, stratum),
  failed: failedIn(option, stratum),
});
