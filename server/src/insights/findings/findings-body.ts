import type { DecisionPointType } from "@whytrace/contract";
import type { ClaimKind } from "./list/option-test.ts";

/** Increase it if a definition changes: bodies of other versions are computed again. */
export const BODY_VERSION = 1;

/** The findings of an agent, as they are stored: options are hashes, and nothing names a trace. */
export interface FindingsBody {
  version: number;
  /** All runs of the window, and how many of the newest are still open. */
  runs: number;
  openRuns: number;
  /** Those that were counted: they have ended, or are abandoned. */
  countedRuns: number;
  badRuns: number;
  abandonedRuns: number;
  clusters: number;
  /** Bad runs that no listed option explains. */
  chance: number;
  /** The smallest adjusted p of all options, whether or not one is listed. */
  smallest: number;
  hasSituation: boolean;
  rows: readonly FindingRow[];
}

export interface FindingRow {
  kind: ClaimKind;
  group: "worse" | "undecided" | "apart";
  signature: number;
  step: number;
  type: DecisionPointType;
  isObserved: boolean;
  /** Choices that are made before anything is known are not adjusted for anything. */
  isAdjusted: boolean;
  decisions: number;
  comparable: number;
  clusters: number;
  /** Absent of options that stand apart: nothing can be said of them. */
  figures?: FindingFigures;
  /** Steps of other rows that explain some of the same bad runs, only together with this one. */
  togetherWith: readonly number[];
}

export interface FindingFigures {
  explains: number;
  ratio: number;
  rate: number;
  otherRate: number;
  adjusted: number;
}

/** What is listed, and the day on which it entered. */
export interface ListedSince {
  kind: ClaimKind;
  group: "worse" | "undecided";
  step: number;
  since: string;
}
