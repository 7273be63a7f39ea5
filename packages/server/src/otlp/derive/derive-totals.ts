import { sumAmounts } from "../../prices/sum-amounts.ts";
import type { SpanFacts } from "../map/span-facts.ts";
import type { SpanForest } from "./span-forest.ts";

interface Totals {
  tokens: number | null;
  costUsd: number | null;
}

/** What a trace used, as its spans say. */
export function deriveTotals({ childrenFirst }: SpanForest): Totals {
  const total = (amountOf: (facts: SpanFacts) => number | null | undefined) =>
    sumAmounts(childrenFirst, ({ facts }) => ({ type: facts.type, amount: amountOf(facts) })).total;
  return { tokens: total(({ tokens }) => tokens), costUsd: total(({ costUsd }) => costUsd) };
}
