import { type DecisionRow, optionName } from "@whytrace/contract";

export interface DecisionGroup {
  key: string;
  /** In list order; at least one. */
  decisions: [DecisionRow, ...DecisionRow[]];
}

/**
 * Groups decisions of the same trace, type and choice, each group where its first decision is. An agent that runs in a
 * loop would fill the list with repetitions otherwise.
 */
export function foldRepeats(decisions: DecisionRow[]): DecisionGroup[] {
  const groups = new Map<string, DecisionGroup>();
  for (const decision of decisions) {
    const key = JSON.stringify([decision.traceId, decision.type, optionName(decision.chosen)]);
    const group = groups.get(key);
    if (group) group.decisions.push(decision);
    else groups.set(key, { key, decisions: [decision] });
  }
  return [...groups.values()];
}

/** The sum of the known costs; null if none is known. */
export function sumCosts(decisions: DecisionRow[]): number | null {
  const known = decisions.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return known.length === 0 ? null : known.reduce((sum, costUsd) => sum + costUsd, 0);
}
