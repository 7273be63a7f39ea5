import type { OptionCounts } from "./comparable-strata.ts";
import { designEffect } from "./design-effect.ts";
import type { RateCounts } from "./rate-counts.ts";
import type { WhySignature } from "./why-input.ts";

const NOT_CHOSEN: RateCounts = { decisions: 0, failed: 0 };

/**
 * The counts of each option by stratum, with its design effect. An effect that is estimated from few failures is uncertain, so it
 * is never less than the mean of all options of the signature.
 */
export function optionCounts({ options, strata }: WhySignature): OptionCounts[] {
  const decisions = options.reduce((sum, { sums }) => sum + sums.decisions, 0);
  const mean = options.reduce((sum, { sums }) => sum + designEffect(sums) * sums.decisions, 0) / decisions;
  const counted = options.map(({ step, sums }) => ({
    step,
    overall: { decisions: sums.decisions, failed: sums.failed },
    strata: Array<RateCounts>(strata.length).fill(NOT_CHOSEN),
    designEffect: Math.max(designEffect(sums), mean),
  }));
  const byStep = new Map(counted.map((option) => [option.step, option]));
  for (const [index, stratum] of strata.entries())
    for (const counts of stratum.options) {
      const option = byStep.get(counts.step);
      if (option) option.strata[index] = counts;
    }
  return counted;
}
