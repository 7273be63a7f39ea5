/** The model that a span called, and the tokens that the call used. Null means unknown. */
export interface ModelUsage {
  /** The model that answered, or else the one that was asked for. */
  model: string | null;
  /** Includes the tokens that were read from or written to a cache. */
  inputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  /** Includes the tokens of reasoning. */
  outputTokens: number | null;
  reasoningTokens: number | null;
}

/** What the calls of one model used together, at one price. */
export interface ModelCost {
  model: string;
  /** Where the cost comes from, as `priceSource` of a span says it; null if the model has no price. */
  priceSource: string | null;
  calls: number;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Null if no call has a cost. */
  costUsd: number | null;
}
