import type { Issue } from "@whytrace/contract/schemas/issues/issues";

/** The decision that likely explains an issue, as it is stored: names are read from runs. */
export interface StoredLikely {
  word: "likely" | "possible";
  signature: number;
  step: number;
  /** What a run that went well chose there. */
  alternativeStep: number | null;
  /** Decisions for the option that could be compared, and after how many of them the run was bad. */
  failed: number;
  decisions: number;
  /** The share of bad runs of others in the same situations. */
  alternativeRate: number | null;
}

/** Why no decision explains an issue. */
export type StoredUnexplained = { word: "none" } & NonNullable<Issue["unexplained"]>;

export type StoredExplanation = StoredLikely | StoredUnexplained;
