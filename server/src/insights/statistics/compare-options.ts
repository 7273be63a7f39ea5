import { type Interval, MIN_COMPARED_DECISIONS } from "@whytrace/contract";
import type { OptionCounts } from "./comparable-strata.ts";
import { costAbove } from "./cost-above.ts";
import { type FailuresAbove, failuresAbove, testFailures } from "./failures-above.ts";
import { optionCounts } from "./option-counts.ts";
import { type OptionLifts, optionLifts } from "./option-lifts.ts";
import type { WhyOption, WhySignature } from "./why-input.ts";

/** Bounds the number of pairs: of more options the most frequent are compared. */
const MAX_COMPARED_OPTIONS = 20;

/** An option and its best alternative. */
export interface PairComparison extends OptionLifts {
  worst: number;
  best: number;
  failures: Interval;
  /** Null if the cost is known of fewer than 20 decisions of either. */
  costUsd: Interval | null;
  /** The probability of such a difference by chance, of any pair of the signature. */
  p: number;
  /** How many pairs of the signature this one was selected from. */
  pairs: number;
}

export interface SignatureComparison {
  /** The option with the most failures above its best alternative. */
  byFailures: PairComparison;
  /** The option with the highest cost above the cheapest alternative; null if costs are unknown. */
  byCost: PairComparison | null;
}

/** Null if fewer than two options were chosen often enough. */
export function compareOptions(signature: WhySignature): SignatureComparison | null {
  const counts = optionCounts(signature);
  const options = signature.options
    .filter(({ sums }) => sums.decisions >= MIN_COMPARED_DECISIONS)
    .sort((one, other) => other.sums.decisions - one.sums.decisions)
    .slice(0, MAX_COMPARED_OPTIONS)
    .flatMap((option) => {
      const own = counts.find(({ step }) => step === option.step);
      return own ? [{ ...option, counts: own }] : [];
    });
  const pair = worstByFailures(options);
  if (pair === null) return null;
  const describe = (worst: ComparedOption, best: ComparedOption, p: number, compared: number) => ({
    worst: worst.step,
    best: best.step,
    failures: failuresAbove(worst.counts, best.counts).failures,
    costUsd: hasCost(worst) && hasCost(best) ? costAbove(worst, best).costUsd : null,
    ...optionLifts(worst.counts, counts),
    // Bonferroni's correction: the pair was selected from all pairs.
    p: Math.min(1, p * pairsOf(compared)),
    pairs: pairsOf(compared),
  });
  const priced = options.filter(hasCost);
  const costPair = worstByCost(priced);
  return {
    byFailures: describe(
      pair.worst,
      pair.best,
      testFailures(pair.worst.counts, pair.best.counts),
      options.length,
    ),
    byCost: costPair && describe(costPair.worst, costPair.best, costPair.p, priced.length),
  };
}

interface ComparedOption extends WhyOption {
  counts: OptionCounts;
}

const pairsOf = (options: number) => (options * (options - 1)) / 2;
const hasCost = ({ cost }: WhyOption) => cost.decisions >= MIN_COMPARED_DECISIONS;

/**
 * The best alternative of an option has the lowest upper end of its failure rate, in the situations of the option. The worst option
 * is above its best alternative by the most failures, by the lower end of the interval.
 */
function worstByFailures(options: readonly ComparedOption[]) {
  let found: { worst: ComparedOption; best: ComparedOption; failures: Interval } | null = null;
  for (const worst of options) {
    let alternative: ({ best: ComparedOption } & FailuresAbove) | null = null;
    for (const best of options) {
      if (best === worst) continue;
      const above = failuresAbove(worst.counts, best.counts);
      if (alternative === null || above.alternativeHigh < alternative.alternativeHigh)
        alternative = { best, ...above };
    }
    if (alternative === null) continue;
    const { best, failures } = alternative;
    if (found === null || isMore(failures, found.failures)) found = { worst, best, failures };
  }
  return found;
}

/** By the lower end; where that is below zero, it tells only how few decisions there are. */
const isMore = (one: Interval, other: Interval) =>
  one.low > 0 || other.low > 0 ? one.low > other.low : one.value > other.value;

/** The pair with the largest cost above, by the lower end of the interval. */
function worstByCost(options: readonly ComparedOption[]) {
  let found: { worst: ComparedOption; best: ComparedOption; low: number; p: number } | null = null;
  for (const worst of options)
    for (const best of options) {
      if (best === worst) continue;
      const { costUsd, p } = costAbove(worst, best);
      if (found === null || costUsd.low > found.low) found = { worst, best, low: costUsd.low, p };
    }
  return found;
}
