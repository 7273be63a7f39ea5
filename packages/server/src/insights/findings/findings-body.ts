import type { DecisionPointType } from "@whytrace/contract";
import type { ScoreSource } from "@whytrace/contract/schemas/scores";
import type { ShownExperiment } from "./experiment/shown-experiment.ts";
import type { ClaimKind } from "./list/option-test.ts";
import type { Basis, Reading, Readings, Refusal } from "./readings/list-by-readings.ts";
import type { Lens } from "./runs/lens.ts";

/** Increase it if a definition changes: bodies of other versions are computed again. */
export const BODY_VERSION = 7;

/** The findings of an agent, as they are stored: options are hashes, and nothing names a trace. */
export interface FindingsBody {
  version: number;
  /** All runs of the window, and how many of the newest are still open. */
  runs: number;
  openRuns: number;
  /** Those that were counted: they have ended, or are abandoned. */
  countedRuns: number;
  /** Whether there are older ones, which were not looked at. */
  isTruncated: boolean;
  /** If there are: when the oldest counted run started. Else null. */
  countedFrom: string | null;
  /** How many runs they stand for: more, if runs were sampled. */
  standsFor: number;
  badRuns: number;
  /** How many runs of the window are bad in each lens, to name what another lens would show. */
  badIn: Readonly<Record<Lens, number>>;
  abandonedRuns: number;
  clusters: number;
  /** Bad runs that no listed option explains. */
  chance: number;
  /** The smallest adjusted p of all options, whether or not one is listed. */
  smallest: number;
  /** The same of costs; 1 if none is known. */
  smallestOfCosts: number;
  hasSituation: boolean;
  hasUnknownSampling: boolean;
  /** Runs that are not counted, because their outcome is unknown or nobody was asked. */
  leftOut: { unknown: number; notAsked: number };
  /** Null unless scores decide and not every run has one. */
  answers: FindingAnswers | null;
  rows: readonly FindingRow[];
}

/** Who judged the runs, where not every run was judged. */
interface FindingAnswers {
  runs: number;
  /** Those who judge some runs. */
  sources: readonly ScoreSource[];
  answered: number;
  bad: number;
  isOneSided: boolean;
  contradictions: readonly { sources: readonly ScoreSource[]; runs: number; differ: number }[];
}

export interface FindingRow {
  kind: ClaimKind;
  group: "worse" | "undecided" | "dearer" | "unclear" | "apart";
  /** Where the difference holds; null if it does not, or nothing was compared. */
  basis: Basis | null;
  /** Of the group unclear: why the option is not listed, and the reading in which it stands out. */
  refusal: Refusal | null;
  holdsIn: Reading | null;
  readings: Readings | null;
  /** The share of decisions whose run was judged: with this option, and with others in its place. */
  answered: { share: number; otherShare: number } | null;
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
  /** Of the group dearer. */
  cost?: FindingCost;
  /** Absent if nothing, or too little, was drawn at random. */
  experiment?: ShownExperiment;
  /** Steps of other rows that explain some of the same bad runs, only together with this one. */
  togetherWith: readonly number[];
}

interface FindingFigures {
  explains: number;
  ratio: number;
  rate: number;
  otherRate: number;
  adjusted: number;
}

/** What a turn costs on average until the next one, after this option and after others in the same situation, in US dollars. */
interface FindingCost {
  usd: number;
  otherUsd: number;
  /** What all compared turns cost more together. */
  excessUsd: number;
  adjusted: number;
}

/** What is listed, and the day on which it entered. */
export interface ListedSince {
  kind: ClaimKind;
  group: "worse" | "undecided" | "dearer";
  step: number;
  since: string;
}
