import type { DecisionNode, TraceTree, TreeNode } from "./trace-tree.ts";

const MAX_NODES = 6;

/** The siblings that follow a decision inside the same span. */
export function nodesAfterDecision(tree: TraceTree, decision: DecisionNode): TreeNode[] {
  const siblings = decision.parent?.children ?? tree.roots;
  return siblings.slice(siblings.indexOf(decision) + 1, siblings.indexOf(decision) + 1 + MAX_NODES);
}
