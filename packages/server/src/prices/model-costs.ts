import type { ModelCost, ModelUsage, ParsedSpan } from "@whytrace/contract";
import { isRepeated, sumAmounts } from "./sum-amounts.ts";
import { type SpanNode, type TypedSpan, topDownSpans } from "./top-down-spans.ts";

type PricedSpan = TypedSpan & Pick<ParsedSpan, "costUsd" | "usage" | "priceSource">;
type Node = SpanNode<PricedSpan>;

/** A trace that names more models is broken. */
const MAX_MODELS = 50;
/** Names are indexed, which limits their length. */
const MAX_MODEL_LENGTH = 200;

/** What each model used in a trace. A call counts once, also if a parent or a second instrumentation repeats its usage. */
export function modelCosts(spans: readonly PricedSpan[]): ModelCost[] {
  const costs = new Map<string, ModelCost>();
  for (const { usage, priceSource = null, costUsd } of countedSpans(spans)) {
    if (!usage?.model) continue;
    const model = usage.model.slice(0, MAX_MODEL_LENGTH).toWellFormed();
    const key = JSON.stringify([model, priceSource]);
    const known = costs.get(key);
    if (!known && costs.size >= MAX_MODELS) continue;
    costs.set(key, add(known ?? empty(model, priceSource), usage, costUsd));
  }
  return [...costs.values()];
}

const empty = (model: string, priceSource: string | null): ModelCost => ({
  model,
  priceSource,
  calls: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  costUsd: null,
});

function add(sum: ModelCost, usage: ModelUsage, costUsd: number | null): ModelCost {
  return {
    ...sum,
    calls: sum.calls + 1,
    inputTokens: sum.inputTokens + (usage.inputTokens ?? 0),
    cacheReadTokens: sum.cacheReadTokens + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: sum.cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    outputTokens: sum.outputTokens + (usage.outputTokens ?? 0),
    reasoningTokens: sum.reasoningTokens + (usage.reasoningTokens ?? 0),
    costUsd: costUsd === null ? sum.costUsd : (sum.costUsd ?? 0) + costUsd,
  };
}

const tokensOf = ({ usage }: PricedSpan) => (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);

/** The spans whose usage is not repeated by others, by the same rule as the total cost. */
function countedSpans(spans: readonly PricedSpan[]): PricedSpan[] {
  if (spans.every(({ usage, parentSpanId }) => !usage || parentSpanId === null))
    return spans.filter(({ usage }) => usage);
  const topDown = topDownSpans(spans);
  const { repeated } = sumAmounts(topDown.toReversed(), ({ span }) => ({
    type: span.type,
    amount: tokensOf(span),
  }));
  const saysMore = (node: Node) =>
    Boolean(node.span.usage) && tokensOf(node.span) > (repeated.get(node) ?? -Infinity);
  /** Spans whose usage a span above them includes. */
  const included = new Set<Node>();
  return topDown.flatMap((node) => {
    const { span, parent } = node;
    if (parent && (included.has(parent) || (saysMore(parent) && isRepeated(parent.span.type, span.type))))
      included.add(node);
    return !included.has(node) && saysMore(node) ? span : [];
  });
}
