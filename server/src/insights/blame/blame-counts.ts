import { isReaction } from "./decisions-before.ts";
import type { Candidate, ChoiceCounts } from "./rank-suspects.ts";

/** What runs of an agent chose, counted for one error. */
export interface BlameCounts {
  /** All decisions of the agent. A run counts once for each of its different steps. */
  agent: ChoiceCounts;
  ofStep(step: number): ChoiceCounts;
  ofSignature(signature: number): ChoiceCounts;
}

export const NO_COUNTS: ChoiceCounts = { decisions: 0, bad: 0, runs: 0, sameErrorRuns: 0 };

export function toCandidate(
  { type, signature, step }: { type: string; signature: number; step: number },
  counts: BlameCounts,
): Candidate {
  const chosen = counts.ofStep(step);
  return {
    isReaction: isReaction(type),
    chosen,
    others: combineCounts(counts.ofSignature(signature), chosen, -1),
  };
}

/** Adds, or with a factor of -1 subtracts, the second. */
export const combineCounts = (a: ChoiceCounts, b: ChoiceCounts, factor: 1 | -1): ChoiceCounts => ({
  decisions: a.decisions + factor * b.decisions,
  bad: a.bad + factor * b.bad,
  runs: a.runs + factor * b.runs,
  sameErrorRuns: a.sameErrorRuns + factor * b.sameErrorRuns,
});
