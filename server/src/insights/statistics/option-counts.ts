import type { OptionCounts } from "./comparable-strata.ts";
import { designEffect } from "./design-effect.ts";
import type { StratumCounts, WhySignature } from "./why-input.ts";

const NO_STRATA: StratumCounts = { decisions: new Float64Array(), failed: new Float64Array() };

/**
 * The counts of each option by stratum, with its design effect. An effect that is estimated from few failures is uncertain, so it
 * is never less than the mean of all options of the signature.
 */
export function optionCounts({ options, strata }: WhySignature): OptionCounts[] {
  const decisions = options.reduce((sum, { sums }) => sum + sums.decisions, 0);
  const mean = options.reduce((sum, { sums }) => sum + designEffect(sums) * sums.decisions, 0) / decisions;
  return options.map(({ step, sums }) => ({
    step,
    overall: { decisions: sums.decisions, failed: sums.failed },
    strata: strata.get(step) ?? NO_STRATA,
    designEffect: Math.max(designEffect(sums), mean),
  }));
}
