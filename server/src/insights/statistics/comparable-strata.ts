import { MIN_COMPARED_DECISIONS } from "@whytrace/contract";
import type { ComparedStratum } from "./mantel-haenszel.ts";
import type { RateCounts } from "./rate-counts.ts";

/** What followed an option, by situation. */
export interface OptionCounts {
  step: number;
  overall: RateCounts;
  /** One entry for each stratum of the signature; zeros where it was not chosen. */
  strata: readonly RateCounts[];
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
  for (let i = 0; i < option.strata.length; i += 1) {
    const [one, rest] = [option.strata[i], alternative.strata[i]];
    if (one && rest && isComparable(one, rest)) strata.push({ option: one, rest });
    else {
      add(pooled.option, one);
      add(pooled.rest, rest);
    }
  }
  if (isComparable(pooled.option, pooled.rest)) strata.push(pooled);
  return strata.length > 0 ? strata : [{ option: option.overall, rest: alternative.overall }];
}

const isComparable = (option: RateCounts, rest: RateCounts) =>
  Math.min(option.decisions, rest.decisions) >= MIN_COMPARED_DECISIONS;

function add(sum: RateCounts, counts: RateCounts | undefined): void {
  sum.decisions += counts?.decisions ?? 0;
  sum.failed += counts?.failed ?? 0;
}
