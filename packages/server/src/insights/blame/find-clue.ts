import type { ContextClue } from "@whytrace/contract";
import { contextValues } from "./context-values.ts";

/** The context of a decision that chose the same option. */
export interface ObservedContext {
  isFailed: boolean;
  context: unknown;
}

/** Fewer on one side say nothing. */
const MIN_OBSERVED = 10;
const MIN_DIFFERENCE = 0.3;
/** Of a hundred values, one differs as much by chance in one of ten searches. */
const MIN_STANDARD_ERRORS = 3.3;

/**
 * Finds the value in a decision's context that is most typical of those decisions after which the run failed; null if no value is
 * clearly more frequent there.
 */
export function findClue(own: unknown, observed: readonly ObservedContext[]): ContextClue | null {
  const failedTotal = observed.filter(({ isFailed }) => isFailed).length;
  const fineTotal = observed.length - failedTotal;
  if (failedTotal < MIN_OBSERVED || fineTotal < MIN_OBSERVED) return null;
  const counts = new Map(
    [...contextValues(own)].map(([key, value]) => [key, { key, value, failed: 0, fine: 0 }]),
  );
  for (const { isFailed, context } of observed)
    for (const [key, value] of contextValues(context)) {
      const count = counts.get(key);
      if (count?.value !== value) continue;
      if (isFailed) count.failed += 1;
      else count.fine += 1;
    }
  let best: ContextClue | null = null;
  let bestDifference = MIN_DIFFERENCE;
  for (const { key, value, failed, fine } of counts.values()) {
    const difference = failed / failedTotal - fine / fineTotal;
    const pooled = (failed + fine) / observed.length;
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / failedTotal + 1 / fineTotal));
    if (difference < bestDifference || difference < MIN_STANDARD_ERRORS * error) continue;
    best = { key, value, failed, failedTotal, fine, fineTotal };
    bestDifference = difference;
  }
  return best;
}
