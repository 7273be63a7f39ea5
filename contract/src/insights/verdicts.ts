import type { DecisionPointType } from "../traces/enums.ts";
import type { HashId } from "./rate.ts";

export const VERDICTS = ["right", "wrong"] as const;
export type VerdictKind = (typeof VERDICTS)[number];

export const MAX_VERDICT_NOTE_LENGTH = 2_000;
/** As long as the longest name of an option. */
export const MAX_VERDICT_OPTION_LENGTH = 200;
export const MAX_VERDICTS_PER_USER = 100_000;

/** What a person says about a decision. */
export interface Verdict {
  traceId: string;
  decisionPointId: string;
  verdict: VerdictKind;
  /** Together with "wrong": the option that should have been chosen. */
  shouldHaveBeen: string | null;
  note: string | null;
  /** Its rank among the suspects when it was judged; null if it was judged elsewhere. */
  suspectRank: number | null;
  /** When it was given or last changed. */
  createdAt: string;
}

/** The body of PUT /api/insights/verdicts. */
export interface GivenVerdict {
  traceId: string;
  decisionPointId: string;
  verdict: VerdictKind;
  shouldHaveBeen?: string | null;
  note?: string | null;
  suspectRank?: number | null;
}

export interface ListedVerdict extends Verdict {
  type: DecisionPointType;
  /** The option that the agent chose. */
  option: string;
  signature: HashId;
  step: HashId;
  /** The name of the trace, with changing parts masked as "#". */
  agent: string;
}

/** GET /api/insights/verdicts: newest first. */
export interface VerdictList {
  verdicts: ListedVerdict[];
  total: number;
  page: number;
  limit: number;
  totalPages: number;
}

/** How often the choice of an option was judged. */
export interface VerdictCount {
  step: HashId;
  right: number;
  wrong: number;
  /** What should have been chosen instead, where it was said; masked like the names of options. */
  shouldHaveBeen: { option: string; verdicts: number }[];
}

/** GET /api/insights/verdicts/counts: the verdicts on one decision, that is, on a type and a set of options. */
export interface VerdictCounts {
  counts: VerdictCount[];
  /** The newest verdict with a note. */
  lastNote: ListedVerdict | null;
}
