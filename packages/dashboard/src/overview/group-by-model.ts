import type { ModelStat } from "@whytrace/contract";

export interface ModelTotal {
  model: string;
  calls: number;
  /** Calls whose cost is unknown. */
  unpricedCalls: number;
  tokens: number;
  inputTokens: number;
  cacheReadTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

/** Sums the entries of each model, which has one for each price; the costliest first. */
export function groupByModel(models: readonly ModelStat[]): ModelTotal[] {
  const totals = new Map<string, ModelTotal>();
  for (const stat of models) {
    const before = totals.get(stat.model);
    totals.set(stat.model, {
      model: stat.model,
      calls: (before?.calls ?? 0) + stat.calls,
      unpricedCalls: (before?.unpricedCalls ?? 0) + (stat.priceSource === null ? stat.calls : 0),
      tokens: (before?.tokens ?? 0) + stat.inputTokens + stat.outputTokens,
      inputTokens: (before?.inputTokens ?? 0) + stat.inputTokens,
      cacheReadTokens: (before?.cacheReadTokens ?? 0) + stat.cacheReadTokens,
      outputTokens: (before?.outputTokens ?? 0) + stat.outputTokens,
      costUsd: stat.costUsd === null ? (before?.costUsd ?? null) : (before?.costUsd ?? 0) + stat.costUsd,
    });
  }
  return [...totals.values()].sort((a, b) => (b.costUsd ?? -1) - (a.costUsd ?? -1) || b.tokens - a.tokens);
}
