import type { SessionSums } from "../session-sums.ts";

/**
 * By how many times the variance of the failure rate is larger than if each decision were a session of its own; at least 1.
 * Decisions of one run or session tend to end alike, so a session of twenty decisions tells less than twenty sessions.
 *
 * Two estimates see different things, and the larger one counts: the spread of all sessions is mostly that of the largest ones,
 * which are few; the correlation within sessions counts small ones as well, and assumes that it is the same in large ones.
 */
export function designEffect(sums: SessionSums): number {
  const { sessions, decisions, failed, decisionSquares, products, failedSquares, failedShares } = sums;
  // No decisions, or one in each session.
  if (decisionSquares <= decisions) return 1;
  // The spread between sessions is unknown if all ended alike, or in a single one: each session counts as one decision.
  if (sessions === 1 || failed === 0 || failed === decisions) return Math.max(1, decisions / sessions);
  const rate = failed / decisions;
  const unit = (rate * (1 - rate) * (sessions - 1)) / sessions;
  const squares = failedSquares - 2 * rate * products + rate * rate * decisionSquares;
  const correlation = ((failedShares - rate * failed) / unit - sessions) / (decisions - sessions);
  const bySpread = squares / unit / decisions;
  const byCorrelation = 1 + Math.min(1, correlation) * (decisionSquares / decisions - 1);
  return Math.max(1, bySpread, byCorrelation);
}
