import type { Interval } from "@whytrace/contract";
import { studentQuantile95, studentTail } from "./student-t.ts";
import type { WhyOption } from "./why-input.ts";

export interface CostAbove {
  /** USD that decisions for the option cost above the alternative's mean. */
  costUsd: Interval;
  p: number;
}

/**
 * Compares what followed two options by its mean cost (Welch). Decisions of one run share most of their cost, which is counted to
 * the run's end, so runs count, not decisions. The test also demands significance by the pooled variance: costs are skewed, and
 * a few decisions that happen to miss the expensive cases look too uniform.
 */
export function costAbove(option: WhyOption, alternative: WhyOption): CostAbove {
  const [one, other] = [describe(option), describe(alternative)];
  const [partOne, partOther] = [one.variance / one.size, other.variance / other.size];
  const error = Math.sqrt(partOne + partOther);
  const difference = one.mean - other.mean;
  const total = option.cost.decisions * difference;
  if (error === 0) return { costUsd: { value: total, low: total, high: total }, p: 1 };
  const freedom =
    (partOne + partOther) ** 2 / (partOne ** 2 / (one.size - 1) + partOther ** 2 / (other.size - 1));
  const half = studentQuantile95(freedom) * error * option.cost.decisions;
  const pooled =
    ((one.size - 1) * one.variance + (other.size - 1) * other.variance) / (one.size + other.size - 2);
  const pooledError = Math.sqrt(pooled * (1 / one.size + 1 / other.size));
  return {
    costUsd: { value: total, low: total - half, high: total + half },
    p: Math.max(studentTail(difference / error, freedom), studentTail(difference / pooledError, freedom)),
  };
}

/** Mean, variance and effective number of the costs. */
function describe({ sums, cost: { decisions, usd, usdSquares } }: WhyOption) {
  const mean = usd / decisions;
  const size = Math.max(2, (decisions * sums.decisions) / sums.decisionSquares);
  const variance = Math.max(0, (usdSquares / decisions - mean ** 2) * (decisions / (decisions - 1)));
  return { mean, variance, size };
}
