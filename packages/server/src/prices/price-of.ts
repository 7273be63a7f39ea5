import { type ModelUsage, ruleSource } from "@whytrace/contract";
import type { PriceList } from "./price-list.ts";
import type { PriceRules } from "./price-rules.ts";
import { costOf } from "./token-price.ts";

/** A computed cost, and whose price was used. */
export interface ComputedCost {
  costUsd: number;
  source: string;
}

/** The cost of a call at a time, by the workspace's own rules, else by the price list; null if it is unknown. */
export function priceOf(
  usage: ModelUsage,
  atMs: number,
  { rules, list }: { rules: PriceRules; list: PriceList },
): ComputedCost | null {
  if (usage.model === null) return null;
  const rule = rules.find(usage.model, atMs);
  const listed = rule ? null : list.find(usage.model, atMs);
  const price = rule
    ? {
        input: rule.inputUsd,
        output: rule.outputUsd,
        cacheRead: rule.cacheReadUsd ?? undefined,
        cacheWrite: rule.cacheWriteUsd ?? undefined,
      }
    : listed?.price;
  const source = rule ? ruleSource(rule) : listed?.source;
  const costUsd = price && costOf(usage, price);
  return typeof costUsd !== "number" || source === undefined ? null : { costUsd, source };
}
