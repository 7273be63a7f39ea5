import { spanTree, type TreeSpan } from "./span-tree.ts";
import { totalAmount } from "./total-amount.ts";

export interface CostedSpan extends TreeSpan {
  costUsd: number | null;
}

/** The cost of a trace; null if no span has a cost. */
export function totalCost(spans: readonly CostedSpan[]): number | null {
  if (spans.every(({ costUsd }) => costUsd === null)) return null;
  const childrenFirst = spanTree(spans).topDown.toReversed();
  const sum = totalAmount(childrenFirst, ({ span: { type, costUsd } }) => ({ type, amount: costUsd })) ?? 0;
  const total = Math.round(sum * 1e12) / 1e12;
  return Number.isFinite(total) ? total : null;
}
