import type { DecisionPointType } from "../traces/enums.ts";

export const VERDICTS = ["right", "wrong"] as const;
export type VerdictKind = (typeof VERDICTS)[number];

export const MAX_VERDICT_NOTE_LENGTH = 2_000;

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
  createdAt: string;
}

/** GET /api/insights/verdicts: newest first. */
export interface VerdictList {
  verdicts: (Verdict & {
    type: DecisionPointType;
    option: string;
    signature: string;
    step: string;
    agent: string;
  })[];
  total: number;
}
