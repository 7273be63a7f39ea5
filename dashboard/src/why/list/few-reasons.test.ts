import type { OptionStat } from "@whytrace/contract";
import { expect, it } from "vitest";
import { fewReasons } from "./few-reasons.ts";

const option = (name: string, decisions: number): OptionStat => ({
  step: name,
  name,
  open: 0,
  rate: {
    decisions,
    failed: 0,
    recovered: 0,
    runs: decisions,
    failedRuns: 0,
    recoveredRuns: 0,
    low: 0,
    high: 1,
  },
});
const reasons = (options: OptionStat[], neverChosen: string[] = []) =>
  fewReasons({ options, neverChosen }).map(({ option: name, text }) => `${name ?? ""} ${text}`.trim());

it.each([
  [[option("a", 506), option("b", 14)], [], ["b only 14 times"]],
  [[option("a", 6), option("b", 1)], [], ["a only 6 times", "b only once"]],
  [[option("a", 246)], ["c"], ["a every time", "c never chosen"]],
  [[option("a", 246)], [], ["no alternatives were sent"]],
])("says which options were chosen too seldom: %#", (options, neverChosen, expected) => {
  expect(reasons(options, neverChosen)).toEqual(expected);
});
