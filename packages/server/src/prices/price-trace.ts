import { type ParsedSpan, type ParsedTrace, SENT_PRICE } from "@whytrace/contract";
import { modelCosts } from "./model-costs.ts";
import type { PriceList } from "./price-list.ts";
import { type ComputedCost, priceOf } from "./price-of.ts";
import type { PriceRules } from "./price-rules.ts";
import { totalCost } from "./total-cost.ts";

export const hasUsage = ({ spans }: ParsedTrace) => spans.some(({ usage }) => usage);

/** The prices that apply to a workspace's calls. */
export interface Prices {
  rules: PriceRules;
  list: PriceList;
}

/** What the cost of a span is computed from. */
export type UnpricedSpan = Pick<
  ParsedSpan,
  "id" | "parentSpanId" | "type" | "startedAt" | "costUsd" | "usage" | "priceSource"
>;

/** Sets the costs of spans that were not sent. `isComputed` says whether there is one. */
export function priceSpans<Span extends UnpricedSpan>(
  unpriced: readonly Span[],
  prices: Prices,
): { spans: Span[]; isComputed: boolean } {
  let isComputed = false;
  const spans = unpriced.map((span): Span => {
    const { usage } = span;
    if (!usage) return span;
    if (span.costUsd !== null) return { ...span, priceSource: SENT_PRICE };
    const cost: ComputedCost | null = priceOf(usage, span.startedAt, prices);
    if (!cost) return span;
    isComputed = true;
    return { ...span, costUsd: cost.costUsd, priceSource: cost.source };
  });
  return { spans, isComputed };
}

/**
 * Sets the costs that were not sent, from the models and tokens of spans: of each span and, if one of them was computed,
 * of the trace. Returns a new trace, so that a batch can be priced again if storing it has to be repeated.
 */
export function priceTrace(trace: ParsedTrace, prices: Prices): ParsedTrace {
  if (!hasUsage(trace)) return trace;
  const { spans, isComputed } = priceSpans(trace.spans, prices);
  const models = modelCosts(spans);
  if (!isComputed || trace.totalCost !== null) return { ...trace, spans, models };
  return { ...trace, spans, models, totalCost: totalCost(spans), isCostDerived: true };
}
