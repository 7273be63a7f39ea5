import type { TraceTree, TreeNode } from "./trace-tree.ts";

/** The next or previous of `nodes` after `from` in tree order. Wraps around at the ends. */
export function nextNode(
  tree: TraceTree,
  nodes: TreeNode[],
  from: TreeNode | null,
  step: 1 | -1,
): TreeNode | undefined {
  if (nodes.length === 0) return undefined;
  const index = from ? nodes.indexOf(from) : -1;
  if (index >= 0) return nodes[(index + step + nodes.length) % nodes.length];
  const positions = new Map(tree.order.map((node, position) => [node, position]));
  const fromPosition = from ? (positions.get(from) ?? -1) : -1;
  const isAhead = (node: TreeNode) => (positions.get(node) ?? 0) > fromPosition;
  return step === 1
    ? (nodes.find(isAhead) ?? nodes[0])
    : (nodes.findLast((node) => !isAhead(node)) ?? nodes.at(-1));
}
