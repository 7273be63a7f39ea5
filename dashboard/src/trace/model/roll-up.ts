import type { SpanNode, TreeNode } from "./trace-tree.ts";

/** Unknown stays unknown; it is not 0. */
export function sumOf(figures: (number | null)[]): number | null {
  let sum: number | null = null;
  for (const figure of figures) if (figure !== null) sum = (sum ?? 0) + figure;
  return sum;
}

/** Gives a span without a cost or token count of its own the sum of what is beneath it. */
export function rollUp(order: TreeNode[]) {
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as TreeNode;
    if (node.kind !== "span" || (node.costUsd !== null && node.tokenCount !== null)) continue;
    const spans = node.children.filter((child): child is SpanNode => child.kind === "span");
    if (node.costUsd === null) {
      node.costUsd = sumOf(spans.map((child) => child.costUsd));
      node.isCostDerived = node.costUsd !== null;
    }
    if (node.tokenCount === null) {
      node.tokenCount = sumOf(spans.map((child) => child.tokenCount));
      node.isTokenCountDerived = node.tokenCount !== null;
    }
  }
}
