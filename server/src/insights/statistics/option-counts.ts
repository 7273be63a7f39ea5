import type { OptionCounts } from "./comparable-strata.ts";
import { designEffect } from "./design-effect.ts";
import type { WhySignature } from "./why-input.ts";

/**
 * The counts of each option by stratum, with its design effect. An effect that is estimated from few failures is uncertain, so it
 * is never less than the mean of all options of the signature.
 */
export function optionCounts({ options, strata }: WhySignature): OptionCounts[] {
  const decisions = options.reduce((sum, { sums }) => sum + sums.decisions, 0);
  const mean = options.reduce((sum, { sums }) => sum + designEffect(sums) * sums.decisions, 0) / decisions;
  const byStep = strata.map((stratum) => new Map(stratum.options.map((option) => [option.step, option])));
  return options.map(({ step, sums }) => ({
    step,
    overall: { decisions: sums.decisions, failed: sums.failed },
    strata: byStep.map((counts) => counts.get(step) ?? { decisions: 0, failed: 0 }),
    designEffect: Math.max(designEffect(sums), mean),
  }));
}
