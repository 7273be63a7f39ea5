import type { Experiment } from "../experiment/experiment-difference.ts";
import type { OptionTest } from "./option-test.ts";

export interface Finding extends OptionTest {
  /** `undecided`: its runs go wrong more often and are longer, and which of both it is cannot be told. */
  group: "worse" | "undecided";
  /** By Holm, for all options that were tested. */
  adjusted: number;
  /** Bad runs. */
  explains: number;
}

export interface FindingsList {
  /** Those that are worse first, then by how many bad runs they explain. */
  findings: readonly Finding[];
  /** Options that never stand in the same state as others, so that nothing can be said of them; the most frequent first. */
  apart: readonly OptionTest[];
  tests: readonly OptionTest[];
  /** By option: what draws at random say of it, where there are enough. */
  experiments: ReadonlyMap<number, Experiment>;
  /** Options that were not named because of their draws. */
  cleared: ReadonlySet<number>;
}
