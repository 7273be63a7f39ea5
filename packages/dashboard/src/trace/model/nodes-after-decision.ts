import { optionName } from "@whytrace/contract";
import type { DecisionNode, SpanNode, TraceTree, TreeNode } from "./trace-tree.ts";

const MAX_NODES = 6;

/**
 * What happened after a decision: what follows it inside the same span. A model call ends with what it decides, so there it
 * is what follows the call until the next one, the tools that were chosen first.
 */
export function nodesAfterDecision(tree: TraceTree, decision: DecisionNode): TreeNode[] {
  const isOfCall = isCall(decision.parent);
  for (let node: TreeNode | null = isOfCall ? decision.parent : decision; node; node = node.parent) {
    const siblings: TreeNode[] = node.parent?.children ?? tree.roots;
    const later = siblings.slice(siblings.indexOf(node) + 1);
    if (later.length > 0)
      return (isOfCall ? chosenFirst(untilNextCall(later), decision) : later).slice(0, MAX_NODES);
  }
  return [];
}

const isCall = (node: TreeNode | null) => node?.kind === "span" && node.span.type === "LLM_CALL";

/** The next call answers with what the tools returned. If no tool was recorded, the call is what happened next. */
function untilNextCall(nodes: TreeNode[]): TreeNode[] {
  const next = nodes.findIndex(isCall);
  return next <= 0 ? nodes.slice(0, 1) : nodes.slice(0, next);
}

/** Names of spans often say more than the name of the tool: `execute_tool search`. */
function chosenFirst(nodes: TreeNode[], { decision }: DecisionNode): TreeNode[] {
  const names = (Array.isArray(decision.chosen) ? decision.chosen : [decision.chosen]).map(optionName);
  const isChosen = (node: TreeNode): node is SpanNode =>
    node.kind === "span" &&
    node.span.type !== "LLM_CALL" &&
    names.some((name) => node.span.name.includes(name));
  const chosen = nodes.filter(isChosen);
  return chosen.length > 0 ? chosen : nodes;
}
