import type { Interval } from "@whytrace/contract";
import { designEffect } from "./design-effect.ts";
import { Z_95 } from "./normal-tail.ts";
import type { RunSums } from "./run-sums.ts";

/** Wilson's 95 % interval of a rate. The counts may be fractions: counts that were divided by a design effect. */
export function wilsonInterval(failed: number, decisions: number): Interval {
  if (decisions <= 0) return { value: 0, low: 0, high: 1 };
  const rate = failed / decisions;
  const centre = rate + Z_95 ** 2 / (2 * decisions);
  const half = Z_95 * Math.sqrt((rate * (1 - rate) + Z_95 ** 2 / (4 * decisions)) / decisions);
  const scale = 1 + Z_95 ** 2 / decisions;
  return {
    value: rate,
    low: Math.max(0, Math.min(rate, (centre - half) / scale)),
    high: Math.min(1, Math.max(rate, (centre + half) / scale)),
  };
}

/** The 95 % interval of the failure rate of an option whose decisions go together in runs. */
export function wilsonIntervalByRun(sums: RunSums): Interval {
  const effect = designEffect(sums);
  return wilsonInterval(sums.failed / effect, sums.decisions / effect);
}
