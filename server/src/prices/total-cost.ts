import { type SpanNode, spanTree, type TreeSpan } from "./span-tree.ts";

export interface CostedSpan extends TreeSpan {
  costUsd: number | null;
}

/**
 * The cost of a trace; null if no span has a cost. It is not the sum of all spans: parents repeat the cost of their children,
 * and two instrumentations may record the same call, one inside the other.
 *
 *   - A model call costs what it says or what the model calls directly in it cost, whichever is more, and its other children.
 *   - Any other span costs what it says or what its children cost, whichever is more.
 *   - The trace costs what its roots cost.
 */
export function totalCost(spans: readonly CostedSpan[]): number | null {
  if (spans.every(({ costUsd }) => costUsd === null)) return null;
  const { roots, topDown } = spanTree(spans);
  const costs = new Map<SpanNode<CostedSpan>, number>();
  const sum = (nodes: SpanNode<CostedSpan>[]) =>
    nodes.reduce((total, node) => total + (costs.get(node) ?? 0), 0);
  for (const node of topDown.toReversed()) {
    const isRepeated = (child: SpanNode<CostedSpan>) =>
      node.span.type !== "LLM_CALL" || child.span.type === "LLM_CALL";
    const own = node.span.costUsd ?? 0;
    const repeated = sum(node.children.filter(isRepeated));
    const others = sum(node.children.filter((child) => !isRepeated(child)));
    costs.set(node, Math.max(own, repeated) + others);
  }
  const total = Math.round(sum(roots) * 1e12) / 1e12;
  return Number.isFinite(total) ? total : null;
}
