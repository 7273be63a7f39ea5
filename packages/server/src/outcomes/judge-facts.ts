import {
  type DecisionFact,
  type DecisionFacts,
  MAX_FACTS_FINGERPRINTS,
} from "../decision-facts/decision-facts.ts";
import { OPEN_OUTCOME, type Outcome, UNKNOWN_OUTCOME } from "../decision-facts/outcome.ts";
import { decodeMarks } from "./marks.ts";

/** The numbers of outcomes of runs, as they are stored. */
const [BAD, UNKNOWN] = [1, 2];

/** How a run is judged, as it is stored beside its facts. */
interface StoredJudgement {
  outcome: number;
  marks: Uint8Array | null;
}

/**
 * What insights count of a run: facts say what happened, and its outcome and marks how that is judged. An error followed a decision by
 * the facts, or if the run or the decision is marked; a run failed if it is bad. Decisions of a run that is unknown, and those that are
 * left out, are unknown.
 */
export function judgeFacts(facts: DecisionFacts, { outcome, marks }: StoredJudgement): DecisionFacts {
  const [first] = facts.decisions;
  if (!first || first.outcome === OPEN_OUTCOME) return facts;
  if (outcome === UNKNOWN) return withOutcomes(facts, () => UNKNOWN_OUTCOME);
  const isBad = outcome === BAD;
  // Most runs are judged by their status alone.
  if (marks === null && isBad === first.outcome >= 2) return facts;
  const { isRun, marked, leftOut, fingerprints } = decodeMarks(marks);
  const judged = fingerprints.length === 0 ? facts : withReasons(facts, fingerprints);
  return withOutcomes(judged, ({ outcome: happened, position }) => {
    if (leftOut.has(position)) return UNKNOWN_OUTCOME;
    const hasError = (happened & 1) === 1 || isRun || marked.has(position);
    if (isBad) return hasError ? 3 : 2;
    return hasError ? 1 : 0;
  });
}

/** Reasons come before errors. */
const withReasons = (facts: DecisionFacts, reasons: readonly number[]): DecisionFacts => ({
  ...facts,
  fingerprints: [...new Set([...reasons, ...facts.fingerprints])].slice(0, MAX_FACTS_FINGERPRINTS),
});

const withOutcomes = (
  facts: DecisionFacts,
  outcomeOf: (decision: DecisionFact) => Outcome,
): DecisionFacts => ({
  ...facts,
  decisions: facts.decisions.map((decision) => ({ ...decision, outcome: outcomeOf(decision) })),
});
