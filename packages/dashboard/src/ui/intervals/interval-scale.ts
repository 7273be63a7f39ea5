import { axisTicks } from "./axis-ticks.ts";

/** Maps values to a plot's width. */
export interface IntervalScale {
  /** Where a value lies: 0 is the left edge, 1 the right one. Values outside are drawn at the edge. */
  position: (value: number) => number;
  /** Round values that are drawn as lines and labelled by the axis. */
  ticks: readonly number[];
}

const clamp = (share: number) => Math.max(0, Math.min(1, share));

const linear = (from: number, to: number, ticks: readonly number[]): IntervalScale => ({
  position: (value) => clamp((value - from) / (to - from || 1)),
  ticks: ticks.filter((tick) => tick >= from && tick <= to),
});

/** Room for half a dot at the ends. */
const MARGIN = 0.03;

/** A scale that holds all values and 0, with about four round ticks. */
export function linearScale(values: readonly number[]): IntervalScale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const above = axisTicks(Math.max(high, (high - low) / 2), { maxSteps: 3 });
  const step = above[1] ?? 1;
  const below = Array.from({ length: Math.floor(-low / step) }, (_, index) => -(index + 1) * step);
  const top = Math.max(high, step);
  const marginValue = (top - low) * MARGIN;
  return linear(low < 0 ? low - marginValue : low, top + marginValue, [...below.reverse(), ...above]);
}

/** A scale of rates from 0 to a round number of per cent at or above the largest value. */
export function rateScale(values: readonly number[]): IntervalScale {
  const high = Math.min(1, Math.max(0.01, ...values));
  const ticks = axisTicks(high, { maxSteps: 4, steps: [0.01, 0.02, 0.05, 0.1, 0.2, 0.25] });
  return linear(0, ticks.at(-1) ?? 1, ticks);
}

/** A scale on which each factor has the same width, for values above 0. */
export function logarithmicScale(values: readonly number[], ticks: readonly number[]): IntervalScale {
  const positive = values.filter((value) => value > 0);
  const low = Math.log(Math.min(...positive));
  const high = Math.log(Math.max(...positive));
  return {
    position: (value) => (value > 0 ? clamp((Math.log(value) - low) / (high - low || 1)) : 0),
    ticks: ticks.filter((tick) => tick > 0 && Math.log(tick) >= low && Math.log(tick) <= high),
  };
}
