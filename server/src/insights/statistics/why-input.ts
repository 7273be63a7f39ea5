import type { RunSums } from "./run-sums.ts";

/** What followed one option of a signature, over all agents and days that are compared. */
export interface WhyOption {
  step: number;
  sums: RunSums;
  /** Cost of what followed each decision, of those decisions whose cost is known: how many, Σ of USD, Σ of its squares. */
  cost: { decisions: number; usd: number; usdSquares: number };
}

/** What followed an option in each stratum: after decisions by the same agent after the same step. */
export interface StratumCounts {
  decisions: Float64Array;
  failed: Float64Array;
}

/** All that is known of a signature: one row of the Why list. */
export interface WhySignature {
  signature: number;
  /** A user set it aside: it is neither tested nor ranked. */
  isAside: boolean;
  /** The options that were chosen at least once. */
  options: WhyOption[];
  /**
   * By step; it may contain options of other signatures. Those of this one have the same number of strata, with zeros where the option
   * was not chosen. Together they count the same decisions as `options`, or fewer if some were left out for their number.
   */
  strata: ReadonlyMap<number, StratumCounts>;
}
