import type { DecisionPointType } from "../traces/enums.ts";
import type { HashId, InsightsRange, Rate } from "./rate.ts";
import type { Verdict } from "./verdicts.ts";

/** How sure a suspect is. "none": it does not explain the error better than its alternatives. */
export const SUSPICIONS = ["likely", "possible", "none"] as const;
export type Suspicion = (typeof SUSPICIONS)[number];

/** So many suspects are returned; of a trace with more decisions, those that come first. */
export const MAX_SUSPECTS = 100;

/** A decision before an error. */
export interface Suspect {
  decisionPointId: string;
  type: DecisionPointType;
  signature: HashId;
  step: HashId;
  option: string;
  suspicion: Suspicion;
  /** For ranking only. It is not a probability. */
  score: number;
  /** Milliseconds from the decision to the error. */
  beforeMs: number;
  /** Whether it was made in the span that failed or in one that contains it. */
  isSameSpan: boolean;
  /** The span in which it was made; null if in none. */
  place: string | null;
  /**
   * What was decided before it, to which `chosen` and `alternative` are limited; the step "0" is the start of the run. Null:
   * they are not limited.
   */
  after: { step: HashId; option: string } | null;
  chosen: Rate;
  /** The best of the other options that were chosen 20 times, else the most frequent one; null if no other was chosen. */
  alternative: { step: HashId; option: string; rate: Rate } | null;
  /** How often this very error came, in runs that chose this option and in runs that chose the alternative; not limited. */
  sameError: { chosen: number; chosenRuns: number; alternative: number; alternativeRuns: number };
  /** A value in the context that separates failed from fine runs. */
  clue: ContextClue | null;
  /** Why it repeats itself, if it does. */
  dithering: Dithering | null;
  verdict: Verdict | null;
}

export interface ContextClue {
  key: string;
  value: string;
  failed: number;
  failedTotal: number;
  fine: number;
  fineTotal: number;
}

export const DITHERINGS = ["repeated-retry", "back-and-forth", "named-other-option"] as const;
export interface Dithering {
  kind: (typeof DITHERINGS)[number];
  /** For "named-other-option": the option that the reasoning names. For "repeated-retry": how such retries ended. */
  option?: string;
  retries?: { total: number; recovered: number };
}

/** GET /api/insights/blame/:traceId: the decisions before an error, the likeliest cause first. */
export interface Blame extends InsightsRange {
  traceId: string;
  agent: string;
  error: {
    /** Null if the error is an event without a span. */
    spanId: string | null;
    name: string;
    message: string | null;
    fingerprint: HashId;
    at: string;
    /** Traces of the range with this error. */
    runs: number;
  };
  /** The errors of the trace, at most 100, in the order of time; another one can be asked for with `spanId`. */
  errors: { spanId: string | null; name: string; message: string | null }[];
  /** How many decisions were made before the error. */
  decisions: number;
  /** These decisions, the likeliest cause first. */
  suspects: Suspect[];
  /** How often a person judged the first suspect of an error of this agent, and how often it was indeed wrong. */
  record: { judged: number; right: number };
}
