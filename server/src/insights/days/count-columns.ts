/*
 * What is counted of decisions with the same key. Numbers of columns; b is the number of failed ones among the n decisions
 * of a run. Decisions of running traces count in `open` alone.
 */
export const COUNTS = {
  /** An error neither followed nor did the run fail, and so on: by the outcome in the facts, 0 to 3. */
  fine: 0,
  recovered: 1,
  failedElsewhere: 2,
  failedHere: 3,
  open: 4,
  runs: 5,
  /** Runs with at least one decision that counts as failed, or as recovered. */
  failedRuns: 6,
  recoveredRuns: 7,
  /** Runs whose trace has the status ERROR. */
  errorRuns: 8,
  /** Σn², Σn·b and Σb² over the runs. */
  decisionSquares: 9,
  products: 10,
  failedSquares: 11,
} as const;
export const COUNT_COLUMNS = 12;

/** What is counted of an option in addition. */
export const CHOICE_COUNTS = {
  /** Σn·N over the runs, where N counts all decisions of the signature. */
  signatureProducts: 12,
  costs: 13,
  costUsd: 14,
  costUsdSquares: 15,
} as const;
export const CHOICE_COLUMNS = 16;

/** What is counted of the traces of an agent and release. */
export const GROUP_COUNTS = {
  runs: 0,
  openRuns: 1,
  errorRuns: 2,
  decisions: 3,
  costs: 4,
  costUsd: 5,
} as const;
export const GROUP_COLUMNS = 6;
