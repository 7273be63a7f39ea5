import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { hoveredToken } from "./masked/hovered-token.ts";
import { nextNode } from "./model/next-node.ts";
import type { TraceTree, TreeNode } from "./model/trace-tree.ts";

interface TraceShortcuts {
  tree: TraceTree;
  selected: TreeNode | null;
  /** Rows with an error or a bad score, in the order of the tree. */
  problems: TreeNode[];
  onNavigate: (node: TreeNode) => void;
  onStep: (step: 1 | -1) => void;
  onMoveRow: (step: 1 | -1) => void;
  onToggleCriticalPath: () => void;
  onToggleBlamePath: () => void;
  /** Goes to the next or previous suspect; null if no suspects are shown. */
  onSuspect: ((step: 1 | -1) => void) | null;
  onSearch: () => void;
  /** Lists the traces with the token of a masked value. */
  onFindToken: (token: string) => void;
}

export function useTraceShortcuts({
  tree,
  selected,
  problems,
  onNavigate,
  onStep,
  onMoveRow,
  onToggleCriticalPath,
  onToggleBlamePath,
  onSuspect,
  onSearch,
  onFindToken,
}: TraceShortcuts) {
  const decisionsInOrder = () => tree.order.filter((node) => node.kind === "decision");
  const goToNext = (nodes: TreeNode[], step: 1 | -1) => {
    const next = nextNode(tree, nodes, selected, step);
    if (next) onNavigate(next);
  };
  const previousMatch = () => onStep(-1);
  useShortcuts({
    "/": onSearch,
    n: () => onStep(1),
    N: previousMatch,
    j: () => onMoveRow(1),
    k: () => onMoveRow(-1),
    "]": () => (onSuspect ? onSuspect(1) : goToNext(decisionsInOrder(), 1)),
    "[": () => (onSuspect ? onSuspect(-1) : goToNext(decisionsInOrder(), -1)),
    b: onToggleBlamePath,
    e: () => goToNext(problems, 1),
    c: onToggleCriticalPath,
    f: () => {
      const token = hoveredToken();
      if (token !== null) onFindToken(token);
    },
  });
}
