import type { SpanFacts } from "./span-facts.ts";
import type { SpanForest } from "./span-forest.ts";

export interface Totals {
  tokens: number | null;
  costUsd: number | null;
}

/**
 * What a trace used. It is not the sum of its spans: an agent's span often repeats what the calls below it used, and two
 * instrumentations may report the same call, one inside the other. So of a span and those below it the larger counts.
 * Only what is below a model's call and is not such a call itself, for example a tool, is added to the call.
 */
export function deriveTotals(forest: SpanForest): Totals {
  return { tokens: total(forest, ({ tokens }) => tokens), costUsd: total(forest, ({ costUsd }) => costUsd) };
}

function total(
  { childrenFirst }: SpanForest,
  amountOf: (facts: SpanFacts) => number | null | undefined,
): number | null {
  const callsBelow: (number | undefined)[] = [];
  const othersBelow: (number | undefined)[] = [];
  let sum: number | undefined;
  for (const { facts, index, parent } of childrenFirst) {
    const own = amountOf(facts) ?? undefined;
    const [calls, others] = [callsBelow[index], othersBelow[index]];
    const isCall = facts.type === "LLM_CALL";
    const amount = isCall ? plus(larger(own, calls), others) : larger(own, plus(calls, others));
    if (!parent) sum = plus(sum, amount);
    else if (isCall) callsBelow[parent.index] = plus(callsBelow[parent.index], amount);
    else othersBelow[parent.index] = plus(othersBelow[parent.index], amount);
  }
  return sum ?? null;
}

const plus = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : a + b;
const larger = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
