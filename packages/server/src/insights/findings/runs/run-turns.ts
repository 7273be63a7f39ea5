import type { DecisionFact, DecisionFacts } from "../../../decision-facts/decision-facts.ts";
import type { EndedRun } from "./find-ending.ts";

/** An answer of the model, with all decisions that it makes at once. */
export interface RunTurn {
  decisions: readonly DecisionFact[];
  isReaction: boolean;
  /** The kind of its error, or null. */
  errorKind: number | null;
}

/** The turns of a run. */
export function runTurns({ decisions }: Pick<DecisionFacts, "decisions">): RunTurn[] {
  const turns: { decisions: DecisionFact[]; isReaction: boolean; errorKind: number | null }[] = [];
  for (const decision of decisions) {
    let turn = turns.at(-1);
    if (!turn || !decision.isSameTurn) {
      turn = { decisions: [], isReaction: false, errorKind: null };
      turns.push(turn);
    }
    turn.decisions.push(decision);
    if (decision.errorKind !== 0) turn.errorKind ??= decision.errorKind;
    if (decision.isReaction) turn.isReaction = true;
  }
  return turns;
}

/** What the ending of a run is found by. */
export const endedRun = (
  turns: readonly RunTurn[],
  { status, messageKind }: { status: EndedRun["status"]; messageKind: number },
): EndedRun => ({
  turns: turns.map(({ decisions }) => [...new Set(decisions.map(({ step }) => step))]),
  errors: turns.map(({ errorKind }) => errorKind),
  status,
  messageKind: messageKind === 0 ? null : messageKind,
  isScoredBad: false,
});
