import { sumAmounts } from "./sum-amounts.ts";
import { type TypedSpan, topDownSpans } from "./top-down-spans.ts";

export interface CostedSpan extends TypedSpan {
  costUsd: number | null;
}

/** The cost of a trace; null if no span has a cost. */
export function totalCost(spans: readonly CostedSpan[]): number | null {
  if (spans.every(({ costUsd }) => costUsd === null)) return null;
  const childrenFirst = topDownSpans(spans).reverse();
  const sum = sumAmounts(childrenFirst, ({ span: { type, costUsd } }) => ({ type, amount: costUsd }));
  const total = Math.round((sum.total ?? 0) * 1e12) / 1e12;
  return Number.isFinite(total) ? total : null;
}
