import { adjustPValues } from "../../statistics/hypothesis-tests/adjust-p-values.ts";
import type { StoredList } from "../stored/read-stored-findings.ts";

const LEVEL = 0.05;

/** The smallest adjusted p of an agent's list. */
export interface AgentP {
  agentHash: number;
  lens: number;
  smallest: number;
}

/**
 * Of many agents some have a small p by chance. Leaves out the rows of those whose smallest p does not hold among all agents and
 * lenses; their bad runs count as chance. Costs are held against those of the other agents.
 */
export function dropChanceAgents(
  lists: readonly StoredList[],
  lens: number,
  all: readonly AgentP[],
): StoredList[] {
  const adjusted = adjustPValues(all.map(({ smallest }) => smallest));
  const holding = new Set(
    all
      .filter((one, index) => one.lens === lens && (adjusted[index] ?? 1) < LEVEL)
      .map((one) => one.agentHash),
  );
  const costs = adjustPValues(lists.map(({ body }) => body.smallestOfCosts));
  return lists.map((list, index) => {
    const { body } = list;
    const isHolding = holding.has(list.agentHash);
    const isDearer = (costs[index] ?? 1) < LEVEL;
    const rows = body.rows.filter(({ group }) =>
      group === "dearer" ? isDearer : isHolding || group === "unclear" || group === "apart",
    );
    return { ...list, body: { ...body, rows, chance: isHolding ? body.chance : body.badRuns } };
  });
}
