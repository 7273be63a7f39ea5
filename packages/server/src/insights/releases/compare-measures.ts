import type { Interval, ReleaseComparison, ReleaseMeasure } from "@whytrace/contract";
import { compareMeans, meanInterval } from "../statistics/compare-means.ts";
import { driftTest, untestedReason } from "../statistics/drift-test.ts";
import { holm } from "../statistics/hypothesis-tests/holm.ts";
import { wilsonIntervalBySession } from "../statistics/hypothesis-tests/wilson-interval.ts";
import { meanBySession } from "../statistics/mean-by-session.ts";
import type { ComparedRun } from "./compared-run.ts";
import { countBySession, type SessionCounts } from "./count-by-session.ts";

/** The one sentence is wrong about sides that are alike in at most so many cases. */
const MAX_P = 0.05;
/** Smaller changes are not called worse or better, however many runs show them. */
const MIN_POINTS = 0.01;
const MIN_LOG_RATIO = Math.log(1.1);
/** Below them, values are equal: a run that cost nothing has no logarithm. */
const LEAST = { cost: 1e-6, time: 1 };

type Untested = Pick<ReleaseMeasure, "untested">;
interface Compared extends Untested {
  measure: Pick<ReleaseMeasure, "name" | "base" | "current" | "change">;
  p: number | null;
  isLargeEnough: boolean;
  isMore: boolean;
}

/** Compares bad runs, cost and time of two sides, and says whether the current side is worse: by Holm, for all measures together. */
export function compareMeasures(
  base: readonly ComparedRun[],
  current: readonly ComparedRun[],
): Pick<ReleaseComparison, "verdict" | "measures"> {
  const compared = [
    compareBad(base, current),
    compareAmounts("cost", ({ costUsd }) => costUsd, base, current),
    compareAmounts("time", ({ durationMs }) => durationMs, base, current),
  ];
  const tested = compared.filter(({ p }) => p !== null);
  const adjusted = holm(tested.map(({ p }) => p ?? 1));
  const measures = compared.map((one): ReleaseMeasure => {
    const p = one.p === null ? null : (adjusted[tested.indexOf(one)] ?? 1);
    const isFound = p !== null && p < MAX_P && one.isLargeEnough;
    const verdict = p === null ? "untested" : !isFound ? "alike" : one.isMore ? "worse" : "better";
    return { ...one.measure, p, untested: one.untested, verdict };
  });
  const has = (verdict: ReleaseMeasure["verdict"]) => measures.some((one) => one.verdict === verdict);
  if (has("worse")) return { verdict: has("better") ? "mixed" : "worse", measures };
  if (has("better")) return { verdict: "better", measures };
  // What is untested is mostly bad runs: cost and time alone do not say that a release is no worse.
  return { verdict: measures[0]?.verdict === "untested" ? "untested" : "alike", measures };
}

function compareBad(base: readonly ComparedRun[], current: readonly ComparedRun[]): Compared {
  const [before, after] = [base, current].map((runs) => countBySession(runs, ({ isBad }) => isBad));
  if (!before || !after) throw new TypeError("Two sides are compared");
  const { p, untested } = driftTest(before.counts, after.counts);
  const intervals = { base: rateOf(before), current: rateOf(after) };
  const change = intervals.base && intervals.current && newcombe(intervals.base, intervals.current);
  return {
    measure: { name: "bad", ...intervals, change },
    p,
    untested,
    isLargeEnough: Math.abs(change?.value ?? 0) >= MIN_POINTS,
    isMore: (change?.value ?? 0) > 0,
  };
}

const rateOf = ({ sums }: SessionCounts) => (sums.decisions === 0 ? null : wilsonIntervalBySession(sums));

/** Newcombe's interval of the difference of two rates, from the interval of each. */
function newcombe(base: Interval, current: Interval): Interval {
  const value = current.value - base.value;
  return {
    value,
    low: value - Math.hypot(current.value - current.low, base.high - base.value),
    high: value + Math.hypot(current.high - current.value, base.value - base.low),
  };
}

/** Costs and times are skewed, so their logarithms are compared: the ratio of what a typical run takes. */
function compareAmounts(
  name: "cost" | "time",
  amountOf: (run: ComparedRun) => number | null,
  base: readonly ComparedRun[],
  current: readonly ComparedRun[],
): Compared {
  const [before, after] = [base, current].map((runs) => {
    const known = runs.flatMap((run) => {
      const amount = run.isBad === null ? null : amountOf(run);
      return amount === null
        ? []
        : [{ session: run.session, value: Math.log(Math.max(LEAST[name], amount)) }];
    });
    return {
      mean: meanBySession(known),
      counts: countBySession(runs, (run) => isKnown(run, amountOf)).counts,
    };
  });
  if (!before || !after) throw new TypeError("Two sides are compared");
  const typical = ({ mean }: typeof before) => (mean.sessions < 2 ? null : exponential(meanInterval(mean)));
  const untested =
    before.mean.count === 0 || after.mean.count === 0
      ? ("one-side" as const)
      : (untestedReason(before.counts) ?? untestedReason(after.counts));
  const intervals = { base: typical(before), current: typical(after) };
  if (untested !== null || !intervals.base || !intervals.current)
    return {
      measure: { name, ...intervals, change: null },
      p: null,
      untested: untested ?? "few-sessions",
      ...NOTHING,
    };
  const { difference, p } = compareMeans(before.mean, after.mean);
  return {
    measure: { name, ...intervals, change: exponential(difference) },
    p,
    untested: null,
    isLargeEnough: Math.abs(difference.value) >= MIN_LOG_RATIO,
    isMore: difference.value > 0,
  };
}

const NOTHING = { isLargeEnough: false, isMore: false };

const isKnown = (run: ComparedRun, amountOf: (run: ComparedRun) => number | null) =>
  run.isBad === null || amountOf(run) === null ? null : true;

const exponential = ({ value, low, high }: Interval): Interval => ({
  value: Math.exp(value),
  low: Math.exp(low),
  high: Math.exp(high),
});
