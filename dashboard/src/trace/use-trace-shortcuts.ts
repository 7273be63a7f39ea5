import { useShortcuts } from "../ui/use-shortcuts.ts";
import { nextNode } from "./model/next-node.ts";
import type { TraceTree, TreeNode } from "./model/trace-tree.ts";

interface TraceShortcuts {
  tree: TraceTree;
  selected: TreeNode | null;
  onNavigate: (node: TreeNode) => void;
  onStep: (step: 1 | -1) => void;
  onRow: (step: 1 | -1) => void;
  onCritical: () => void;
  onSearch: () => void;
}

export function useTraceShortcuts({
  tree,
  selected,
  onNavigate,
  onStep,
  onRow,
  onCritical,
  onSearch,
}: TraceShortcuts) {
  const decisionRows = () => tree.order.filter((node) => node.kind === "decision");
  const goIn = (nodes: TreeNode[], step: 1 | -1) => {
    const next = nextNode(tree, nodes, selected, step);
    if (next) onNavigate(next);
  };
  const walkBack = () => onStep(-1);
  useShortcuts({
    "/": onSearch,
    n: () => onStep(1),
    N: walkBack,
    j: () => onRow(1),
    k: () => onRow(-1),
    "]": () => goIn(decisionRows(), 1),
    "[": () => goIn(decisionRows(), -1),
    e: () => goIn(tree.errors, 1),
    c: onCritical,
  });
}
