import type { DecisionPointType } from "../traces/enums.ts";
import type { HashId, InsightsRange, Interval, Rate, Release } from "./rate.ts";

export interface AgentSummary {
  /** The name of its traces, with changing parts such as numbers masked as "#". */
  name: string;
  runs: number;
  failedRuns: number;
  decisions: number;
  costUsd: number | null;
}

/** GET /api/insights/agents: the agents that decided something in the time range, those with the most runs first. */
export interface AgentList extends InsightsRange {
  agents: AgentSummary[];
}

/** One option of a decision, that is, of a type and a set of options. */
export interface OptionStat {
  /** Identifies the option of this decision, for example in a filter of traces. */
  step: HashId;
  name: string;
  rate: Rate;
  /** Decisions of running traces. */
  open: number;
}

export const WHY_GROUPS = ["worse", "unclear", "few", "aside"] as const;
/**
 * worse: an option is followed by more failures, or costs more, than an alternative, and that holds if all comparisons are
 * tested together; unclear: it may be chance; few: fewer than two options were chosen often enough; aside: a user set it aside.
 */
export type WhyGroup = (typeof WHY_GROUPS)[number];

/** A row of the Why list: one decision, its worst option and the best alternative. */
export interface WhyRow {
  signature: HashId;
  type: DecisionPointType;
  /** The span in which one of these decisions was made; null if in none. */
  place: string | null;
  group: WhyGroup;
  decisions: number;
  /** Options that were chosen, the most frequent first. */
  options: OptionStat[];
  neverChosen: string[];
  /** Null in the groups few and aside. */
  comparison: OptionComparison | null;
  /** For each day of the range, the share of `comparison.worst`, or else of the most frequent option; null without decisions. */
  shares: (number | null)[];
  drift: RowDrift | null;
}

export interface OptionComparison {
  worst: HashId;
  best: HashId;
  /** Failures after the worst option above what the best alternative's rate would give. */
  failures: Interval;
  costUsd: Interval | null;
  /** Likelihood of failing against all other options: as counted, and among runs that decided the same before. */
  lift: Interval;
  stratifiedLift: Interval | null;
  /** Whether the two lifts contradict each other: the difference depends on what went before. */
  isConfounded: boolean;
  /** Probability of such a difference by chance, adjusted for all comparisons. */
  q: number;
}

/** The share of an option changed during the range. */
export interface RowDrift {
  step: HashId;
  before: number;
  after: number;
  /** The release or the day from which on it is different. */
  since: string;
  p: number;
}

/** GET /api/insights/decisions: the Why list. */
export interface WhyList extends InsightsRange {
  /** Null: all agents. */
  agent: string | null;
  runs: number;
  failedRuns: number;
  decisions: number;
  costUsd: number | null;
  comparisons: number;
  releases: Release[];
  rows: WhyRow[];
  /** If there are too many different decisions, only the most frequent ones are listed. */
  isTruncated: boolean;
  /** When the newest decision before the range was made, if the range has none. */
  lastDecisionAt: string | null;
}

export interface Quantiles {
  p5: number;
  p25: number;
  p50: number;
  p75: number;
  p95: number;
}

export interface ScorecardOption extends OptionStat {
  /** How often it was one of the options. */
  offered: number;
  /** Against the other options; null if either was chosen fewer than 20 times. */
  lift: Interval | null;
  costUsd: Quantiles | null;
  durationMs: Quantiles | null;
  verdicts: { right: number; wrong: number };
}

/** The options among runs that decided the same before, ran the same release or belong to the same agent. */
export interface Stratum {
  /** The option chosen before, the release or the agent; null: nothing before, or no release. */
  name: string | null;
  /** The step before, to filter traces by; "0" stands for the start of the run. */
  before?: HashId;
  decisions: number;
  failed: number;
  options: { step: HashId; rate: Rate }[];
}

export interface Scorecard extends InsightsRange {
  signature: HashId;
  type: DecisionPointType;
  agent: string | null;
  agents: string[];
  place: string | null;
  group: WhyGroup;
  decisions: number;
  open: number;
  rate: Rate;
  options: ScorecardOption[];
  neverChosen: string[];
  comparison: OptionComparison | null;
  /** Choices of each day, in the order of `options`. */
  days: { day: string; counts: number[] }[];
  releases: Release[];
  drift: RowDrift | null;
  strata: { before: Stratum[]; release: Stratum[]; agent: Stratum[] };
}

/** GET /api/insights/decisions/:signature/reasons: why an option was chosen, similar texts together. */
export interface ReasonList {
  step: HashId;
  /** So many of the newest decisions were read. */
  read: number;
  reasons: { text: string; decisions: number; failed: number; low: number; high: number; traceId: string }[];
}
