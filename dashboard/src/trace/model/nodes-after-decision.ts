import type { DecisionNode, TraceTree, TreeNode } from "./trace-tree.ts";

const SHOWN = 6;

/** What followed a decision inside the same span, in time. */
export function nodesAfterDecision(tree: TraceTree, decision: DecisionNode): TreeNode[] {
  const siblings = decision.parent?.children ?? tree.roots;
  return siblings.slice(siblings.indexOf(decision) + 1, siblings.indexOf(decision) + 1 + SHOWN);
}
