import type { ModelUsage } from "@whytrace/contract";

/** US dollars per million tokens; above some number of input tokens, all tokens of a call may cost more. */
export type Rate = number | { base: number; tiers: readonly { start: number; price: number }[] };

/** What the tokens of a model cost. Without a rate of their own, tokens of the cache cost what input costs. */
export interface TokenPrice {
  input: Rate;
  output: Rate;
  cacheRead?: Rate | undefined;
  cacheWrite?: Rate | undefined;
  /** Without it, reasoning costs what output costs. */
  reasoning?: Rate | undefined;
  /** US dollars per call. */
  perCall?: number | undefined;
}

/** Costs are rounded to this many parts of a dollar: sums of decimal prices stay free of binary fractions. */
const PARTS_PER_USD = 1e12;
const TOKENS_PER_PRICE = 1_000_000;

/** What a call cost; null if the number of its tokens is unknown. */
export function costOf(usage: ModelUsage, price: TokenPrice): number | null {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === null && outputTokens === null) return null;
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  const input = withCache(inputTokens ?? 0, cacheRead + cacheWrite);
  const output = Math.max(outputTokens ?? 0, usage.reasoningTokens ?? 0);
  const reasoning = price.reasoning === undefined ? 0 : (usage.reasoningTokens ?? 0);
  const dearest = (rate: Rate) => perMillion(rate, input);
  const millionths =
    (input - cacheRead - cacheWrite) * dearest(price.input) +
    cacheRead * dearest(price.cacheRead ?? price.input) +
    cacheWrite * dearest(price.cacheWrite ?? price.input) +
    (output - reasoning) * dearest(price.output) +
    reasoning * dearest(price.reasoning ?? price.output);
  const costUsd = millionths / TOKENS_PER_PRICE + (price.perCall ?? 0);
  const rounded = Math.round(costUsd * PARTS_PER_USD) / PARTS_PER_USD;
  return Number.isFinite(rounded) ? rounded : null;
}

/** Input includes cached tokens. If there are more of those than input, the sender left them out. */
const withCache = (input: number, cached: number) => (cached > input ? input + cached : input);

function perMillion(rate: Rate, inputTokens: number): number {
  if (typeof rate === "number") return rate;
  let price = rate.base;
  for (const tier of rate.tiers) if (inputTokens > tier.start) price = tier.price;
  return price;
}
