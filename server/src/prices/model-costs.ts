import type { ModelCost, ModelUsage, ParsedSpan } from "@whytrace/contract";
import { type SpanNode, spanTree } from "./span-tree.ts";
import { isRepeated } from "./total-amount.ts";

type PricedSpan = Pick<ParsedSpan, "id" | "parentSpanId" | "type" | "costUsd" | "usage" | "priceSource">;
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
  const { topDown } = spanTree(spans);
  const tokens = new Map<Node, number>();
  /** Nodes that count more than the children that they repeat. */
  const dominant = new Set<Node>();
  for (const node of topDown.toReversed()) {
    const repeated = node.children.filter((child) => isRepeated(node.span.type, child.span.type));
    const sum = (nodes: Node[]) => nodes.reduce((total, child) => total + (tokens.get(child) ?? 0), 0);
    const own = tokensOf(node.span);
    const inner = sum(repeated);
    if (node.span.usage && (repeated.length === 0 || own > inner)) dominant.add(node);
    tokens.set(node, Math.max(own, inner) + sum(node.children) - inner);
  }
  const skipped = new Set<Node>();
  const counted: PricedSpan[] = [];
  for (const node of topDown) {
    const isSkipped = skipped.has(node);
    const isDominant = dominant.has(node);
    if (!isSkipped && isDominant) counted.push(node.span);
    for (const child of node.children)
      if (isSkipped || (isDominant && isRepeated(node.span.type, child.span.type))) skipped.add(child);
  }
  return counted;
}
