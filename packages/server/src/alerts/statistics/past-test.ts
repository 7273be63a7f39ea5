import type { Sensitivity } from "@whytrace/contract/schemas/alerts/rules";
import { incompleteBeta } from "../../insights/statistics/hypothesis-tests/incomplete-beta.ts";

/** Runs that ended good or bad, and how many of them were bad. */
export interface Counted {
  runs: number;
  bad: number;
}

/** What is usual for an agent. */
export interface Baseline extends Counted {
  /** How much more windows differ than by chance: the variance of their bad runs, over that of independent runs. */
  overdispersion: number;
}

/** Windows with fewer runs tell little about how much windows differ. */
const MIN_WINDOW_RUNS = 5;
/** So many windows without overdispersion are assumed beforehand, so that a few windows do not decide. */
const PRIOR_WINDOWS = 10;

const LEAST_RISE = 0.05;
const LEAST_FACTOR = 1.5;
/** The probability of an alarm at a check at which nothing is wrong. */
const ALARM_BELOW: Readonly<Record<Sensitivity, number>> = { high: 1e-4, normal: 1e-5, low: 1e-7 };
const CLEAR_FROM = 0.05;
export const MIN_PAST_RUNS = 200;
const MIN_BAD_RUNS = 5;

/** The usual rate, which is never 0 or 1. */
export const usualRate = ({ runs, bad }: Counted) => (bad + 0.5) / (runs + 1);

/** The baseline of windows that lie side by side over the past. */
export function baselineOf(windows: readonly Counted[]): Baseline {
  let [runs, bad] = [0, 0];
  for (const window of windows) {
    runs += window.runs;
    bad += window.bad;
  }
  const rate = usualRate({ runs, bad });
  let [sum, count] = [0, 0];
  for (const window of windows) {
    if (window.runs < MIN_WINDOW_RUNS) continue;
    sum += (window.bad - window.runs * rate) ** 2 / (window.runs * rate * (1 - rate));
    count += 1;
  }
  return { runs, bad, overdispersion: Math.max(1, (sum + PRIOR_WINDOWS) / (count + PRIOR_WINDOWS)) };
}

/** The probability of as many bad runs in a window, or more, if the agent were as it usually is. */
export function tailOf({ runs, bad }: Counted, baseline: Baseline): number {
  if (bad <= 0) return 1;
  const { overdispersion } = baseline;
  const [n, b] = [runs / overdispersion, bad / overdispersion];
  return incompleteBeta(b, n - b + 1, usualRate(baseline));
}

/** Whether runs of a window are bad more often than usual, and whether they are as usual. Between the two, neither is said. */
export function comparePast(window: Counted, baseline: Baseline, sensitivity: Sensitivity) {
  const tail = tailOf(window, baseline);
  const usual = usualRate(baseline);
  const rate = window.runs === 0 ? 0 : window.bad / window.runs;
  return {
    isMet:
      window.bad >= MIN_BAD_RUNS &&
      rate >= usual + LEAST_RISE &&
      rate >= LEAST_FACTOR * usual &&
      tail < ALARM_BELOW[sensitivity],
    isClear: tail >= CLEAR_FROM,
  };
}
