import type { TestResult } from "./stratified-test.ts";

/** What is said of an option: that runs which chose it, or left it out, go wrong more often. */
export type ClaimKind = "chose" | "left out";

export interface OptionTest extends TestResult {
  kind: ClaimKind;
  option: number;
  /** That runs with it are bad more often to their end, whatever the reason. */
  riskP: number;
}
