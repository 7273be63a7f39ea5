/*
 * What is counted of decisions with the same key. Numbers of columns. Decisions of running traces count in `open` alone, and those
 * that are unknown in `unknown`.
 *
 * Runs of one session tend to choose and to fail alike, so squares and products are added up by session. A session has n
 * decisions with the key, of which b failed. A run without a session counts as one, and a session that goes on over midnight as one
 * on each day.
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
  /** Runs that are bad. */
  errorRuns: 8,
  sessions: 9,
  /** Σn², Σn·b and Σb² over the sessions. */
  decisionSquares: 10,
  products: 11,
  failedSquares: 12,
  /** Σb²/n over the sessions, in thousandths, so that sums do not depend on their order. */
  failedShares: 13,
  /** Decisions of runs that are unknown, and those that are left out. */
  unknown: 14,
} as const;
export const COUNT_COLUMNS = 15;
export const SHARE_UNITS = 1_000;

/** What is counted of an option in addition. */
export const CHOICE_COUNTS = {
  /** Σm² and Σm·M over the sessions: m are decisions that have ended, unknown or not, and M all such decisions of the signature. */
  endedSquares: 15,
  signatureProducts: 16,
  /** Decisions of which it is known what else could have been chosen. */
  offered: 17,
} as const;
export const CHOICE_COLUMNS = 18;

/**
 * What is counted of an option in runs that were judged, or whose users were asked to. A run has n decisions with the key that have
 * ended, unknown or not; b of them failed, if a score made the run bad.
 */
export const VOTE_COUNTS = {
  /** Over runs with a score that their definition looks for: the runs, those with b > 0, Σn, Σb, Σn², Σn·b and Σb². */
  answeredRuns: 0,
  failedRuns: 1,
  answered: 2,
  failed: 3,
  answeredSquares: 4,
  products: 5,
  failedSquares: 6,
  /** Σb²/n in thousandths. */
  failedShares: 7,
  /** Over runs with a score and runs whose users were asked: the runs, Σn and Σn². */
  askedRuns: 8,
  asked: 9,
  askedSquares: 10,
} as const;
export const VOTE_COLUMNS = 11;

/** What is counted of the traces of an agent and release. */
export const GROUP_COUNTS = {
  runs: 0,
  openRuns: 1,
  errorRuns: 2,
  unknownRuns: 3,
  /** Runs that have ended and have a score that their definition looks for; and those whose users were asked. */
  answeredRuns: 4,
  askedRuns: 5,
  decisions: 6,
  costs: 7,
  costUsd: 8,
} as const;
export const GROUP_COLUMNS = 9;
