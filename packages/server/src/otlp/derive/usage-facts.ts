import type { ModelUsage } from "@whytrace/contract";
import type { SpanFacts } from "../map/span-facts.ts";

const UNKNOWN: ModelUsage = {
  model: null,
  inputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
};

/** The usage of a span as facts, without what is unknown. */
export function usageFacts(usage: ModelUsage | null | undefined): Pick<SpanFacts, "usage"> {
  if (!usage) return {};
  return { usage: Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)) };
}

/** The usage that facts say. */
export const usageOf = ({ usage }: SpanFacts): ModelUsage | null => (usage ? { ...UNKNOWN, ...usage } : null);
