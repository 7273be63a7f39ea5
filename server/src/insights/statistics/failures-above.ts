import type { Interval } from "@whytrace/contract";
import { comparableStrata, countsIn, type OptionCounts } from "./comparable-strata.ts";
import { compareRates } from "./compare-rates.ts";
import { divideCounts } from "./divide-counts.ts";
import { type ComparedStratum, mantelHaenszel } from "./mantel-haenszel.ts";
import { wilsonInterval } from "./wilson-interval.ts";

export interface FailuresAbove {
  /** Failures after the option above what the alternative's rates would give. */
  failures: Interval;
  /** The upper end of the alternative's failure rate in the situations of the option. */
  alternativeHigh: number;
}

/** Compares what followed an option and an alternative, like with like. */
export function failuresAbove(option: OptionCounts, alternative: OptionCounts): FailuresAbove {
  let decisions = 0;
  let expected = 0;
  let expectedAbove = 0;
  let value = 0;
  let below = 0;
  let above = 0;
  for (const stratum of comparableStrata(option, alternative)) {
    const n = stratum.option.decisions;
    const rate = intervalOf(divideCounts(stratum.option, option.designEffect));
    const other = intervalOf(divideCounts(stratum.rest, alternative.designEffect));
    decisions += n;
    expected += n * other.value;
    expectedAbove += (n * (other.high - other.value)) ** 2;
    value += n * (rate.value - other.value);
    // Newcombe's and Zou's interval of a sum of differences, from Wilson's interval of each rate.
    below += n ** 2 * ((rate.value - rate.low) ** 2 + (other.high - other.value) ** 2);
    above += n ** 2 * ((rate.high - rate.value) ** 2 + (other.value - other.low) ** 2);
  }
  return {
    failures: { value, low: value - Math.sqrt(below), high: value + Math.sqrt(above) },
    alternativeHigh: (expected + Math.sqrt(expectedAbove)) / decisions,
  };
}

/**
 * The probability of such a difference by chance: within all strata that contain both, also the small ones, whose rates alone
 * would tell nothing. Over all decisions if there are no two such strata.
 */
export function testFailures(option: OptionCounts, alternative: OptionCounts): number {
  const strata: ComparedStratum[] = [];
  for (let i = 0; i < option.strata.decisions.length; i += 1) {
    const [one, rest] = [countsIn(option, i), countsIn(alternative, i)];
    if (one.decisions === 0 || rest.decisions === 0) continue;
    strata.push({
      option: divideCounts(one, option.designEffect),
      rest: divideCounts(rest, alternative.designEffect),
    });
  }
  const test = strata.length < 2 ? null : mantelHaenszel(strata);
  if (test !== null) return test.isWorse ? test.p : 1;
  return compareRates(
    divideCounts(option.overall, option.designEffect),
    divideCounts(alternative.overall, alternative.designEffect),
  );
}

const intervalOf = ({ failed, decisions }: { failed: number; decisions: number }) =>
  wilsonInterval(failed, decisions);
