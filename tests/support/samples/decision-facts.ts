import type {
  DecisionFact,
  DecisionFacts,
} from "../../../packages/server/src/decision-facts/decision-facts.ts";

/** Facts of a decision that went well. */
export const decisionFact = (given: Partial<DecisionFact>): DecisionFact => ({
  signature: 1,
  step: 1,
  type: "CUSTOM",
  outcome: 0,
  position: 0,
  costUsd: null,
  durationMs: null,
  isSameTurn: false,
  isReaction: false,
  isOffered: true,
  errorKind: 0,
  drawn: 0,
  ...given,
});

export const decisionFacts = (given: Partial<DecisionFacts>): DecisionFacts => ({
  release: 0,
  cluster: 0,
  messageKind: 0,
  decisions: [],
  fingerprints: [],
  ...given,
});
