import { studentQuantile95 } from "../../insights/statistics/hypothesis-tests/student-t.ts";
import { wilsonInterval } from "../../insights/statistics/hypothesis-tests/wilson-interval.ts";
import type { RuleCondition } from "../rules/rule-condition.ts";
import { type Baseline, type Counted, comparePast, MIN_PAST_RUNS } from "../statistics/past-test.ts";

/** What a check of a rule found. */
export interface Evaluation {
  isMet: boolean;
  /** Whether a rule that fires may recover. */
  isClear: boolean;
  value: number | null;
  low: number | null;
  high: number | null;
  runs: number;
  /** Why the rule cannot be checked; null if it can. */
  reason: string | null;
}

/** Values of runs, added up. */
export interface ValueSums {
  count: number;
  sum: number;
  squares: number;
}

/** The runs of a window, as far as rules look at them. */
export interface WindowFigures extends Counted {
  costs: ValueSums;
  scores: ValueSums;
  /** Of durations in milliseconds: how many there are, and those at the ranks of `quantileRanks`. */
  durations: { count: number; low: number | null; value: number | null; high: number | null };
}

export const NO_FIGURES: WindowFigures = {
  runs: 0,
  bad: 0,
  costs: { count: 0, sum: 0, squares: 0 },
  scores: { count: 0, sum: 0, squares: 0 },
  durations: { count: 0, low: null, value: null, high: null },
};

const MIN_RUNS = 20;
export const MIN_DURATIONS = 60;
/** Half the width of an 80 % interval in standard errors: its lower end is exceeded by chance once in ten times. */
const Z_80 = 1.2815515655446004;

const tooFew = (runs: number, needed: number, what = "runs"): string =>
  `${runs} of the ${needed} ${what} that are needed`;

const unknown = (runs: number, reason: string): Evaluation => ({
  isMet: false,
  isClear: false,
  value: null,
  low: null,
  high: null,
  runs,
  reason,
});

type Interval = Pick<Evaluation, "value" | "low" | "high">;

const decided = (interval: Interval, runs: number, isMet: boolean, isClear = !isMet): Evaluation => ({
  ...interval,
  runs,
  isMet,
  isClear,
  reason: null,
});

/** Checks a rule on the runs of its window. Drift, decision rules and missing runs are checked elsewhere. */
export function evaluateWindow(
  rule: RuleCondition,
  figures: WindowFigures,
  baseline: Baseline | null,
): Evaluation {
  const { runs, bad, costs, scores, durations } = figures;
  const [above, below] = [rule.above ?? 0, rule.below ?? 0];
  switch (rule.kind) {
    case "failure_rate": {
      if (rule.comparedWith === "past") {
        const past = baseline ?? { runs: 0, bad: 0, overdispersion: 1 };
        if (past.runs < MIN_PAST_RUNS) return unknown(runs, tooFew(past.runs, MIN_PAST_RUNS));
        if (runs < MIN_RUNS) return unknown(runs, tooFew(runs, MIN_RUNS));
        const { isMet, isClear } = comparePast({ runs, bad }, past, rule.sensitivity);
        return decided(wilsonInterval(bad, runs), runs, isMet, isClear);
      }
      if (runs < MIN_RUNS) return unknown(runs, tooFew(runs, MIN_RUNS));
      const interval = wilsonInterval(bad, runs, Z_80);
      return decided(interval, runs, interval.low > above);
    }
    case "score_mean": {
      if (scores.count < MIN_RUNS) return unknown(scores.count, tooFew(scores.count, MIN_RUNS, "scores"));
      const interval = meanInterval(scores);
      return decided(interval, scores.count, interval.high < below);
    }
    case "cost_per_run": {
      if (costs.count < MIN_RUNS)
        return unknown(costs.count, tooFew(costs.count, MIN_RUNS, "runs with a cost"));
      const interval = meanInterval(costs);
      return decided(interval, costs.count, interval.low > above);
    }
    case "cost_per_day":
      if (costs.count === 0) return unknown(0, tooFew(0, 1, "runs with a cost"));
      return decided({ value: costs.sum, low: null, high: null }, costs.count, costs.sum > above);
    case "duration_p95": {
      const { count, ...interval } = durations;
      if (count < MIN_DURATIONS) return unknown(count, tooFew(count, MIN_DURATIONS));
      return decided(interval, count, interval.low !== null && interval.low > above);
    }
    default:
      return unknown(runs, "This rule is not checked on a window");
  }
}

function meanInterval({ count, sum, squares }: ValueSums) {
  const mean = sum / count;
  const variance = Math.max(0, (squares - count * mean ** 2) / (count - 1));
  const reach = studentQuantile95(count - 1) * Math.sqrt(variance / count);
  return { value: mean, low: mean - reach, high: mean + reach };
}

const MIN_NEWEST_RUNS = 3;
const ARMED_WITHIN_MS = 7 * 24 * 3_600_000;

/** Whether no run started for so long. `newest` are the starts of the agent's last three runs, in milliseconds. */
export function evaluateNoRuns(
  { forMinutes }: RuleCondition,
  newest: readonly number[],
  nowMs: number,
): Evaluation {
  const [last, , third] = newest;
  const isArmed = last !== undefined && third !== undefined && last - third <= ARMED_WITHIN_MS;
  if (!isArmed) return unknown(newest.length, tooFew(newest.length, MIN_NEWEST_RUNS, "runs within 7 days"));
  const minutes = Math.max(0, (nowMs - last) / 60_000);
  return decided({ value: minutes, low: null, high: null }, 0, minutes >= forMinutes);
}

export { decided, unknown };
