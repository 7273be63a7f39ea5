import type { DaysRead } from "../days/read-days.ts";
import { type RunFilter, type SignatureFigures, strataByStep } from "../days/signature-figures.ts";
import { type WhyComparisons, whyComparisons } from "../statistics/why-comparisons.ts";
import type { WhySignature } from "../statistics/why-input.ts";

/** Of more decisions the most frequent ones are listed and compared. */
export const MAX_LISTED_SIGNATURES = 500;

/**
 * Compares the options of all signatures that are listed, those with the most decisions first, and of one more if a scorecard
 * asks for it, whose `input` is returned too.
 */
export function compareSignatures(
  { tally }: DaysRead,
  all: readonly SignatureFigures[],
  filter: RunFilter,
  aside: ReadonlySet<number>,
  wanted?: number,
): WhyComparisons & { input: WhySignature | undefined } {
  const listed = all.filter(({ signature }, index) => index < MAX_LISTED_SIGNATURES || signature === wanted);
  // Transitions are not counted by release.
  const strata: WhySignature["strata"] =
    filter.release === undefined ? strataByStep(tally, listed, filter) : new Map();
  const inputs = listed.map(({ signature, options }) => ({
    signature,
    isAside: aside.has(signature),
    options: options
      .filter(({ sums }) => sums.decisions > 0)
      .map(({ step, sums }) => ({ step, sums: sums.runSums, cost: sums.cost })),
    strata,
  }));
  return { ...whyComparisons(inputs), input: inputs.find(({ signature }) => signature === wanted) };
}
