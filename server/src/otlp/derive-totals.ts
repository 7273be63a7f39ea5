import { totalAmount } from "../prices/total-amount.ts";
import type { SpanFacts } from "./span-facts.ts";
import type { SpanForest } from "./span-forest.ts";

export interface Totals {
  tokens: number | null;
  costUsd: number | null;
}

/** What a trace used, as its spans say. */
export function deriveTotals({ childrenFirst }: SpanForest): Totals {
  const total = (amountOf: (facts: SpanFacts) => number | null | undefined) =>
    totalAmount(childrenFirst, ({ facts }) => ({ type: facts.type, amount: amountOf(facts) }));
  return { tokens: total(({ tokens }) => tokens), costUsd: total(({ costUsd }) => costUsd) };
}
