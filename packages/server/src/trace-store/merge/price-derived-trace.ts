import type { ModelCost } from "@whytrace/contract";
import { modelCosts } from "../../prices/model-costs.ts";
import { type Prices, priceSpans } from "../../prices/price-trace.ts";
import { totalCost } from "../../prices/total-cost.ts";
import type { UnpricedTrace } from "../rows/derived-trace.ts";

export interface PricedTrace extends UnpricedTrace {
  models: ModelCost[];
  isCostDerived: boolean;
}

/** Computes the cost of a derived trace and what each of its models used. */
export function priceDerivedTrace(derived: UnpricedTrace, prices: Prices | undefined): PricedTrace {
  if (!prices) return { ...derived, models: [], isCostDerived: false };
  const { spans, isComputed } = priceSpans(derived.spans, prices);
  const models = spans.some(({ usage }) => usage) ? modelCosts(spans) : [];
  if (!isComputed) return { ...derived, spans, models, isCostDerived: false };
  return { ...derived, spans, models, totalCost: totalCost(spans), isCostDerived: true };
}
