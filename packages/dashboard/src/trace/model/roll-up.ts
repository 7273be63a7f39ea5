import type { SpanNode, TreeNode } from "./trace-tree.ts";

/** Sums the known values; null, not 0, if all are unknown. */
export function sumKnown(values: (number | null)[]): number | null {
  let sum: number | null = null;
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value;
  return sum;
}

/** Sets a missing cost or token count to the sum over the child spans. */
export function rollUp(order: TreeNode[]) {
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as TreeNode;
    if (node.kind !== "span" || (node.costUsd !== null && node.tokenCount !== null)) continue;
    const spans = node.children.filter((child): child is SpanNode => child.kind === "span");
    if (node.costUsd === null) {
      node.costUsd = sumKnown(spans.map((child) => child.costUsd));
      node.isCostDerived = node.costUsd !== null;
    }
    if (node.tokenCount === null) {
      node.tokenCount = sumKnown(spans.map((child) => child.tokenCount));
      node.isTokenCountDerived = node.tokenCount !== null;
    }
  }
}
