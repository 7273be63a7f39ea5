/** Ids of signatures, steps and errors are hashes, in hexadecimal: 14 digits for a signature, 8 for the others. */
export type HashId = string;

export interface Interval {
  value: number;
  low: number;
  high: number;
}

/**
 * What followed a choice. Decisions of running traces are not counted. `low` and `high` are the 95 % interval of
 * `failed / decisions`; it takes into account that decisions of one run go together.
 */
export interface Rate {
  decisions: number;
  failed: number;
  /** After so many decisions an error followed, but the run did not fail. */
  recovered: number;
  /** Traces that contain these decisions: what a link to the list of traces shows. */
  runs: number;
  failedRuns: number;
  recoveredRuns: number;
  low: number;
  high: number;
}

/** A rate of fewer decisions is shown, but not compared. */
export const MIN_COMPARED_DECISIONS = 20;

/** The time range that was counted: whole days in UTC; `to` is exclusive. */
export interface InsightsRange {
  from: string;
  to: string;
  /** How far decisions from before the update have been read; absent if all have. */
  progress?: InsightsProgress;
}

export interface InsightsProgress {
  /** Days of the range that are not counted yet. */
  daysLeft: number;
  /** Traces of the range from before the update that are not counted yet; 10,000 also stands for more. */
  tracesLeft: number;
}

/** A version of an agent: a tag such as "v2.3.1" or "release:2026-11-02". */
export interface Release {
  name: string;
  /** The first day of the range in which it ran. */
  firstDay: string;
  runs: number;
}
