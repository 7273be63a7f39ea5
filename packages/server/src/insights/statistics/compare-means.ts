import type { Interval } from "@whytrace/contract";
import { studentQuantile95, studentTail } from "./hypothesis-tests/student-t.ts";
import type { MeanBySession } from "./mean-by-session.ts";

interface MeanComparison {
  /** The current mean minus that of the base. */
  difference: Interval;
  /** The probability of such a difference by chance. */
  p: number;
}

/** Welch's test of two means whose variances come from sessions, with Satterthwaite's degrees of freedom. */
export function compareMeans(base: MeanBySession, current: MeanBySession): MeanComparison {
  const variance = base.variance + current.variance;
  const value = current.mean - base.mean;
  if (variance === 0) return { difference: { value, low: value, high: value }, p: value === 0 ? 1 : 0 };
  const degreesOfFreedom = Math.max(1, variance ** 2 / (weigh(base) + weigh(current)));
  const error = Math.sqrt(variance);
  const reach = studentQuantile95(degreesOfFreedom) * error;
  return {
    difference: { value, low: value - reach, high: value + reach },
    p: studentTail(value / error, degreesOfFreedom),
  };
}

/** The 95 % interval of a mean. */
export function meanInterval({ mean, variance, effectiveSessions }: MeanBySession): Interval {
  const reach = studentQuantile95(Math.max(1, effectiveSessions - 1)) * Math.sqrt(variance);
  return { value: mean, low: mean - reach, high: mean + reach };
}

const weigh = ({ variance, effectiveSessions }: MeanBySession) =>
  variance ** 2 / Math.max(1, effectiveSessions - 1);
