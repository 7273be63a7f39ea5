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
