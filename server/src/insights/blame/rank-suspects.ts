import type { Suspicion } from "@whytrace/contract";

/** How often something was chosen in runs of the agent, and what came of it. */
export interface ChoiceCounts {
  decisions: number;
  /** An error followed, the run failed, or both. */
  bad: number;
  runs: number;
  /** Of these runs, those with the error that is to be explained. */
  sameErrorRuns: number;
}

/** A decision before the error. */
export interface Candidate {
  /** RETRY and ESCALATION answer an error, so they are seldom its cause. */
  isReaction: boolean;
  chosen: ChoiceCounts;
  /** All other options of the same decision together. */
  others: ChoiceCounts;
}

export interface Ranked {
  /** Its place among the candidates. */
  index: number;
  suspicion: Suspicion;
  score: number;
}

/*
 * Chosen on 200 simulated agents; trials/blame.ts measures them on others.
 */
/** The agent's average counts as so many decisions of the alternatives. */
const PRIOR_DECISIONS = 20;
/** A lift counts only in as far as there are more failures than these. */
const PRIOR_FAILURES = 2;
/** The lift over all failures counts as so many errors, so that it decides while this very error is rare. */
const PRIOR_ERRORS = 1.5;
const DECAY_PER_DECISION = 0.9;
const REACTION_WEIGHT = 0.1;
/** Without any evidence the nearest decision comes first. */
const BASE_SCORE = 0.1;
/**
 * A decision farther away cannot be among the first 100 (`MAX_SUSPECTS`): the highest score there is lower than the lowest of
 * the 100 nearest ones.
 */
export const MAX_RANKED = 200;
const LIKELY = 0.8;
const POSSIBLE = 0.6;

/**
 * Ranks the decisions before an error, given the nearest first, by how much likelier the error is after this choice than after
 * its alternatives. `agent` counts all decisions of the agent. The run with the error is one of those that are counted.
 */
export function rankSuspects(candidates: readonly Candidate[], agent: ChoiceCounts): Ranked[] {
  const badRate = (agent.bad + 0.5) / (agent.decisions + 1);
  const errorRate = (agent.sameErrorRuns + 0.5) / (agent.runs + 1);
  return candidates
    .map((candidate, index) => {
      const fraction = attributableFraction(candidate, badRate, errorRate);
      const weight = DECAY_PER_DECISION ** index * (candidate.isReaction ? REACTION_WEIGHT : 1);
      return { index, suspicion: suspicionOf(fraction), score: weight * (BASE_SCORE + fraction) };
    })
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

/** The share of such errors after this choice that would not have come after another: 1 - 1/relative risk. */
function attributableFraction({ chosen, others }: Candidate, badRate: number, errorRate: number): number {
  const expectedBad =
    (chosen.decisions * (others.bad + PRIOR_DECISIONS * badRate)) / (others.decisions + PRIOR_DECISIONS);
  const lift = (chosen.bad + PRIOR_FAILURES) / (expectedBad + PRIOR_FAILURES);
  const expectedErrors =
    (chosen.runs * (others.sameErrorRuns + PRIOR_DECISIONS * errorRate)) / (others.runs + PRIOR_DECISIONS);
  const risk = (chosen.sameErrorRuns + PRIOR_ERRORS * lift) / (expectedErrors + PRIOR_ERRORS);
  return Math.max(0, 1 - 1 / risk);
}

const suspicionOf = (fraction: number): Suspicion =>
  fraction >= LIKELY ? "likely" : fraction >= POSSIBLE ? "possible" : "none";
