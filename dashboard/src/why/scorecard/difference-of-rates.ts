import type { Interval, Rate } from "@whytrace/contract";

const shareOf = ({ decisions, failed }: Rate) => failed / decisions;

/**
 * How much higher the first rate is, with its 95 % interval after Newcombe, which needs nothing but the intervals of the two
 * rates.
 */
export function differenceOfRates(first: Rate, second: Rate): Interval {
  const [p, q] = [shareOf(first), shareOf(second)];
  const value = p - q;
  return {
    value,
    low: value - Math.hypot(p - first.low, second.high - q),
    high: value + Math.hypot(first.high - p, q - second.low),
  };
}
