import type { Interval } from "@whytrace/contract";
import type { SessionSums } from "../session-sums.ts";
import { designEffect } from "./design-effect.ts";
import { effectiveSessions } from "./effective-sessions.ts";
import { Z_95 } from "./normal-tail.ts";
import { studentQuantile95 } from "./student-t.ts";

/**
 * Wilson's 95 % interval of a rate. The counts may be fractions: counts that were divided by a design effect. `reach` is half the
 * width of the interval in standard errors: more if the standard error itself is an estimate from few sessions.
 */
export function wilsonInterval(failed: number, decisions: number, reach = Z_95): Interval {
  if (decisions <= 0) return { value: 0, low: 0, high: 1 };
  const rate = failed / decisions;
  const centre = rate + reach ** 2 / (2 * decisions);
  const half = reach * Math.sqrt((rate * (1 - rate) + reach ** 2 / (4 * decisions)) / decisions);
  const scale = 1 + reach ** 2 / decisions;
  return {
    value: rate,
    low: Math.max(0, Math.min(rate, (centre - half) / scale)),
    high: Math.min(1, Math.max(rate, (centre + half) / scale)),
  };
}

/** The 95 % interval of the failure rate of an option whose decisions go together in runs and sessions. */
export function wilsonIntervalBySession(sums: SessionSums): Interval {
  const { decisions, failed, decisionSquares } = sums;
  const effect = designEffect(sums);
  return wilsonInterval(failed / effect, decisions / effect, reachOf(decisions, decisionSquares));
}

/** Half the width of a 95 % interval in standard errors, where a design effect is estimated if sessions decide repeatedly. */
export const reachOf = (decisions: number, decisionSquares: number) =>
  decisionSquares > decisions
    ? studentQuantile95(Math.max(1, effectiveSessions(decisions, decisionSquares) - 1))
    : Z_95;
