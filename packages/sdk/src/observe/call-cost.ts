/** USD per million tokens. */
export interface Price {
  input: number;
  output: number;
  /** Price of input that was read from the prompt cache. Without it, a call that reads the cache has no cost. */
  cacheRead?: number | undefined;
  /** Price of input that was written to the prompt cache. Without it, a call that writes the cache has no cost. */
  cacheWrite?: number | undefined;
}

/**
 * Keys are model names as the provider returns them: { "gpt-5": { input: 1.25, cacheRead: 0.125, output: 10 } }. A
 * price also applies to the dated versions of its model, such as gpt-5-2025-08-07, but not to gpt-5-mini.
 */
export type Prices = Readonly<Record<string, Price>>;

export interface Usage {
  /** Includes the tokens that were read from or written to the prompt cache. */
  inputTokens?: number | undefined;
  /** Includes reasoning tokens. */
  outputTokens?: number | undefined;
  cacheReadTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  reasoningTokens?: number | undefined;
}

interface Cost {
  costUsd?: number;
  /** The price without which the cost is unknown. */
  missingPrice?: keyof Price;
}

/** Returns no cost if a price is missing: no cost is better than a wrong one. */
export function callCost(model: string | undefined, usage: Usage, prices: Prices = {}): Cost {
  const price = priceOf(model, prices);
  if (!price) return {};
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const tokens = {
    input: Math.max(inputTokens - cacheReadTokens - cacheWriteTokens, 0),
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    output: outputTokens,
  };
  let costUsd = 0;
  for (const kind of ["input", "cacheRead", "cacheWrite", "output"] as const) {
    const perMillion = price[kind];
    if (perMillion === undefined && tokens[kind] > 0) return { missingPrice: kind };
    costUsd += (tokens[kind] * (perMillion ?? 0)) / 1_000_000;
  }
  return { costUsd };
}

/** Providers date the versions of a model: gpt-5-2025-08-07, claude-sonnet-4-20250514, gpt-4-0613. */
const VERSION_DATE = /[-@]\d{4}(-?\d{2}-?\d{2})?$/;

function priceOf(model: string | undefined, prices: Prices): Price | undefined {
  if (model === undefined) return undefined;
  const name = [model, model.replace(VERSION_DATE, "")].find((one) => Object.hasOwn(prices, one));
  return name === undefined ? undefined : prices[name];
}
