import type { RunSums } from "./run-sums.ts";

/**
 * By how many times the variance of the failure rate is larger than if each decision were a run of its own; at least 1.
 * Decisions of one run tend to end alike, so a run of twenty decisions tells less than twenty runs.
 */
export function designEffect({
  runs,
  decisions,
  failed,
  decisionSquares,
  products,
  failedSquares,
}: RunSums): number {
  // No decisions, or one in each run.
  if (decisionSquares <= decisions) return 1;
  // The spread between runs is unknown if all ended alike, or in a single run: each run counts as one decision.
  if (runs === 1 || failed === 0 || failed === decisions) return Math.max(1, decisions / runs);
  const rate = failed / decisions;
  const squares = failedSquares - 2 * rate * products + rate * rate * decisionSquares;
  const variance = ((runs / (runs - 1)) * squares) / decisions ** 2;
  return Math.max(1, variance / ((rate * (1 - rate)) / decisions));
}
