import type { Quantiles, Scorecard } from "@whytrace/contract";
import {
  type IntervalScale,
  linearScale,
  logarithmicScale,
  rateScale,
} from "../../ui/intervals/interval-scale.ts";

const SECOND_MS = 1_000;
const TIME_TICKS_MS = [
  1,
  10,
  100,
  SECOND_MS,
  10 * SECOND_MS,
  60 * SECOND_MS,
  600 * SECOND_MS,
  3_600 * SECOND_MS,
];
/** From this ratio on, short durations would be invisible on a linear scale. */
const LOGARITHMIC_FROM = 20;

export interface ScorecardScales {
  rate: IntervalScale;
  cost: IntervalScale;
  time: IntervalScale;
}

/** The scales that all options of a scorecard share. */
export function scorecardScales({ options, rate }: Scorecard): ScorecardScales {
  const ends = (quantiles: (Quantiles | null)[]) =>
    quantiles.flatMap((one) => (one ? [one.p5, one.p95] : []));
  return {
    rate: rateScale([rate.high, ...options.map((option) => option.rate.high)]),
    cost: linearScale(ends(options.map(({ costUsd }) => costUsd))),
    time: timeScale(ends(options.map(({ durationMs }) => durationMs))),
  };
}

function timeScale(values: number[]): IntervalScale {
  const positive = values.filter((value) => value > 0);
  const isWide = Math.max(...positive) / Math.min(...positive) > LOGARITHMIC_FROM;
  return isWide ? logarithmicScale(positive, TIME_TICKS_MS) : linearScale(values);
}
