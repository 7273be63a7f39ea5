import { useKeys } from "../ui/use-keys.ts";
import { nextIn } from "./model/next-in.ts";
import type { TraceTree, TreeNode } from "./model/trace-tree.ts";

interface TraceKeys {
  tree: TraceTree;
  selected: TreeNode | null;
  onGo: (node: TreeNode) => void;
  onWalk: (step: 1 | -1) => void;
  onRow: (step: 1 | -1) => void;
  onCritical: () => void;
  onSearch: () => void;
}

export function useTraceKeys({ tree, selected, onGo, onWalk, onRow, onCritical, onSearch }: TraceKeys) {
  const decisionRows = () => tree.order.filter((node) => node.kind === "decision");
  const goIn = (nodes: TreeNode[], step: 1 | -1) => {
    const next = nextIn(tree, nodes, selected, step);
    if (next) onGo(next);
  };
  const walkBack = () => onWalk(-1);
  useKeys({
    "/": onSearch,
    n: () => onWalk(1),
    N: walkBack,
    j: () => onRow(1),
    k: () => onRow(-1),
    "]": () => goIn(decisionRows(), 1),
    "[": () => goIn(decisionRows(), -1),
    e: () => goIn(tree.errors, 1),
    c: onCritical,
  });
}
