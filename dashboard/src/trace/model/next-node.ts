import type { TraceTree, TreeNode } from "./trace-tree.ts";

/** The next of some nodes, seen from where one is; past the last it begins again. */
export function nextNode(
  tree: TraceTree,
  nodes: TreeNode[],
  from: TreeNode | null,
  step: 1 | -1,
): TreeNode | undefined {
  if (nodes.length === 0) return undefined;
  const at = from ? nodes.indexOf(from) : -1;
  if (at >= 0) return nodes[(at + step + nodes.length) % nodes.length];
  const places = new Map(tree.order.map((node, place) => [node, place]));
  const here = from ? (places.get(from) ?? -1) : -1;
  const isAhead = (node: TreeNode) => (places.get(node) ?? 0) > here;
  return step === 1
    ? (nodes.find(isAhead) ?? nodes[0])
    : (nodes.findLast((node) => !isAhead(node)) ?? nodes.at(-1));
}
