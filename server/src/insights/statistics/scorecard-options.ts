import { type Interval, MIN_COMPARED_DECISIONS } from "@whytrace/contract";
import { optionCounts } from "./option-counts.ts";
import { optionLifts } from "./option-lifts.ts";
import type { WhySignature } from "./why-input.ts";
import { wilsonIntervalByRun } from "./wilson-interval.ts";

export interface ScorecardOptionStatistics {
  step: number;
  /** The failure rate with its 95 % interval: `low` and `high` of a Rate. */
  rate: Interval;
  /** Against the other options; null if either was chosen fewer than 20 times. */
  lift: Interval | null;
  stratifiedLift: Interval | null;
  isConfounded: boolean;
}

/** What a scorecard says about each option of a signature, in the order of its options. */
export function scorecardOptions(signature: WhySignature): ScorecardOptionStatistics[] {
  const counts = optionCounts(signature);
  const all = counts.reduce((sum, { overall }) => sum + overall.decisions, 0);
  return signature.options.map(({ step, sums }, i) => {
    const option = counts[i];
    const fewer = Math.min(sums.decisions, all - sums.decisions);
    const lifts = option && fewer >= MIN_COMPARED_DECISIONS ? optionLifts(option, counts) : NOT_COMPARED;
    return { step, rate: wilsonIntervalByRun(sums), ...lifts };
  });
}

const NOT_COMPARED = { lift: null, stratifiedLift: null, isConfounded: false };
