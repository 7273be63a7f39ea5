import type { Interval } from "@whytrace/contract";
import { Z_95 } from "./normal-tail.ts";
import type { RateCounts } from "./rate-counts.ts";

/**
 * How many times as likely a failure is after an option than after the others (relative risk), with the 95 % interval of its
 * logarithm. A half is added to each count, so that the result is finite without failures too.
 */
export function lift(option: RateCounts, rest: RateCounts): Interval {
  const [b1, n1, b0, n0] = [
    option.failed + 0.5,
    option.decisions + 0.5,
    rest.failed + 0.5,
    rest.decisions + 0.5,
  ];
  const value = b1 / n1 / (b0 / n0);
  const error = Math.sqrt(Math.max(0, 1 / b1 - 1 / n1 + 1 / b0 - 1 / n0));
  return { value, low: value * Math.exp(-Z_95 * error), high: value * Math.exp(Z_95 * error) };
}
