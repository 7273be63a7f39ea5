import type { Interval } from "@whytrace/contract";
import { countsIn, type OptionCounts } from "./comparable-strata.ts";
import { divideCounts } from "./divide-counts.ts";
import { lift } from "./lift.ts";
import { type ComparedStratum, mantelHaenszel } from "./mantel-haenszel.ts";
import type { RateCounts } from "./rate-counts.ts";

export interface OptionLifts {
  /** How many times as likely a failure is after the option than after all others. */
  lift: Interval;
  /** The same among decisions in the same situation; null if there is only one situation with both. */
  stratifiedLift: Interval | null;
  /** Whether the two contradict each other: they differ by a quarter, or one is clearly on the other side of 1. */
  isConfounded: boolean;
}

const MAX_RATIO = 1.25;

export function optionLifts(option: OptionCounts, all: readonly OptionCounts[]): OptionLifts {
  const others = all.filter(({ step }) => step !== option.step);
  const overall = { decisions: 0, failed: 0 };
  for (const other of others) addDivided(overall, other.overall, other.designEffect);
  const crude = lift(divideCounts(option.overall, option.designEffect), overall);
  const strata: ComparedStratum[] = [];
  for (let i = 0; i < option.strata.decisions.length; i += 1) {
    const own = countsIn(option, i);
    if (own.decisions === 0) continue;
    const rest = { decisions: 0, failed: 0 };
    for (const other of others) addDivided(rest, countsIn(other, i), other.designEffect);
    if (rest.decisions > 0) strata.push({ option: divideCounts(own, option.designEffect), rest });
  }
  const stratified = strata.length < 2 ? null : (mantelHaenszel(strata)?.relativeRisk ?? null);
  return {
    lift: crude,
    stratifiedLift: stratified,
    isConfounded: stratified !== null && isContradiction(crude, stratified),
  };
}

function addDivided(sum: RateCounts, { decisions, failed }: RateCounts, designEffect: number) {
  sum.decisions += decisions / designEffect;
  sum.failed += failed / designEffect;
}

function isContradiction(one: Interval, other: Interval): boolean {
  const ratio = one.value / other.value;
  if (ratio >= MAX_RATIO || ratio <= 1 / MAX_RATIO) return true;
  const isOtherSide = one.value > 1 !== other.value > 1;
  return isOtherSide && (isClear(one) || isClear(other));
}

const isClear = ({ low, high }: Interval) => low > 1 || high < 1;
