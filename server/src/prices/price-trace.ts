import { type ParsedSpan, type ParsedTrace, SENT_PRICE } from "@whytrace/contract";
import { modelCosts } from "./model-costs.ts";
import type { PriceList } from "./price-list.ts";
import { type ComputedCost, priceOf } from "./price-of.ts";
import type { PriceRules } from "./price-rules.ts";
import { totalCost } from "./total-cost.ts";

export const hasUsage = ({ spans }: ParsedTrace) => spans.some(({ usage }) => usage);

/**
 * Sets the costs that were not sent, from the models and tokens of spans: of each span and, if one of them was computed,
 * of the trace. Returns a new trace, so that a batch can be priced again if storing it has to be repeated.
 */
export function priceTrace(trace: ParsedTrace, prices: { rules: PriceRules; list: PriceList }): ParsedTrace {
  if (!hasUsage(trace)) return trace;
  let isComputed = false;
  const spans = trace.spans.map((span): ParsedSpan => {
    const { usage } = span;
    if (!usage) return span;
    if (span.costUsd !== null) return { ...span, priceSource: SENT_PRICE };
    const cost: ComputedCost | null = priceOf(usage, span.startedAt, prices);
    if (!cost) return span;
    isComputed = true;
    return { ...span, costUsd: cost.costUsd, priceSource: cost.source };
  });
  const models = modelCosts(spans);
  if (!isComputed || trace.totalCost !== null) return { ...trace, spans, models };
  return { ...trace, spans, models, totalCost: totalCost(spans), isCostDerived: true };
}
