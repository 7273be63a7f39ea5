import { describe, expect, it } from "vitest";
import type { FindingItem } from "../schemas/insights/findings.ts";
import {
  chanceSentence,
  findingCaveats,
  findingSentence,
  findingsSummary,
  noFindingsSentence,
} from "./finding-sentence.ts";

const row = (overrides: Partial<FindingItem> = {}): FindingItem => ({
  agent: "support",
  kind: "chose",
  group: "worse",
  place: "invoke_agent support",
  signature: "00000000000001",
  type: "TOOL_SELECTION",
  step: "00000001",
  option: "lookup_cache",
  isObserved: false,
  explains: 58.3,
  togetherWith: [],
  ratio: 13,
  hiddenReason: 25.49,
  rate: 0.52,
  otherRate: 0.04,
  comparable: 312,
  decisions: 1_390,
  clusters: 204,
  adjusted: 0.0001,
  since: "2026-11-03",
  isAdjusted: true,
  experiment: null,
  ...overrides,
});
const failed = { badRuns: 71, lens: "failed" } as const;

describe("a finding", () => {
  it("says how many bad runs a choice explains, and both rates in the same situation", () => {
    const { text, parts } = findingSentence(row(), failed);
    expect(text).toBe(
      "`lookup_cache` explains 58 of 71 failed runs. In the same situation 52 % of runs that chose it failed, of others 4 % " +
        "(312 of 1,390 choices comparable, 204 sessions or single runs). Holds since 3 November.",
    );
    expect(parts[0]).toEqual({ text: "lookup_cache", isOption: true });
    expect(parts.slice(1).every(({ isOption }) => !isOption)).toBe(true);
  });

  it("says what was left out", () => {
    const leftOut = row({ kind: "left-out", option: "authenticate", explains: 40, ratio: 16.2, since: null });
    expect(findingSentence(leftOut, { ...failed, badRuns: 57 }).text).toBe(
      "Runs without `authenticate` failed 16 times as often in the same situation. Leaving it out explains 40 of 57 failed runs.",
    );
  });

  it("claims nothing of an option that is undecided or stands apart", () => {
    expect(findingSentence(row({ group: "undecided", option: "plan", since: null }), failed).text).toBe(
      "After `plan` runs fail more often, and they are longer. Whether the choice or the length does it cannot be told.",
    );
    const none = { explains: null, ratio: null, rate: null, otherRate: null, hiddenReason: null };
    expect(findingSentence(row({ group: "apart", ...none }), failed).text).toBe(
      "`lookup_cache` was never chosen in the same situation as the others: it was not compared.",
    );
  });

  it("names what it explains bad runs with only together", () => {
    const other = row({ step: "00000002", option: "refund" });
    const { text, parts } = findingSentence(row({ togetherWith: ["00000002"], since: null }), {
      ...failed,
      rows: [other],
    });
    expect(text).toContain("single runs). Some of them only together with `refund`.");
    expect(parts.filter(({ isOption }) => isOption)).toHaveLength(2);
  });

  it("speaks of errors and scores in their words", () => {
    expect(findingSentence(row(), { badRuns: 71, lens: "error" }).text).toMatch(
      /explains 58 of 71 runs with an error\. .* of runs that chose it had an error, of others 4 %/,
    );
    expect(findingSentence(row(), { badRuns: 71, lens: "scored" }).text).toContain(
      "71 runs with a bad score. ",
    );
  });

  it("has a name also if none is left", () => {
    const { text, parts } = findingSentence(row({ option: "" }), failed);
    expect(text).toMatch(/^\(an option without a name\) explains/);
    expect(parts[0]?.isOption).toBe(false);
  });
});

it("says below each row how strong a hidden reason would have to be, and if nothing was known before", () => {
  expect(findingCaveats(row({ hiddenReason: 5.449 }), failed)).toEqual([
    "Only something that makes both this choice and a failure 5.4 times as likely could explain this.",
  ]);
  expect(findingCaveats(row({ kind: "left-out", isAdjusted: false }), { lens: "error" })).toEqual([
    "Only something that makes both leaving it out and an error 25.5 times as likely could explain this.",
    "Not adjusted: nothing is known before this choice. Name a situation key.",
  ]);
  expect(findingCaveats(row({ hiddenReason: null }), failed)).toEqual([]);
});

it("says of an empty list how much it means", () => {
  const sentence = (countedRuns: number, badRuns: number) =>
    noFindingsSentence({ countedRuns, badRuns, lens: "failed" });
  expect(sentence(300, 41)).toBe(
    "Nothing stands out in 300 runs with 41 failures. Faults that strike one in three choices are usually found by now; " +
      "rarer ones, and causes of less than a tenth of an agent's failures, are not.",
  );
  expect(sentence(40, 1)).toMatch(/^Nothing stands out in 40 runs with 1 failure\. That is too few: /);
  expect(sentence(1, 0)).toBe("None of 1 run failed.");
  expect(sentence(0, 0)).toBe("No run of this time range decided something and has ended.");
});

it("says of a list how much its rows explain together", () => {
  const list = { ...failed, countedRuns: 300, abandonedRuns: 0, chance: 12.7 };
  expect(findingsSummary({ ...list, rows: [row()] })).toBe("1 option explains 58 of 71 failed runs.");
  expect(findingsSummary({ ...list, rows: [row(), row({ step: "00000002" })] })).toMatch(
    /^2 options explain 58 /,
  );
  expect(findingsSummary({ ...list, rows: [row({ group: "undecided" })] })).toMatch(
    /^Nothing stands out in 300 runs/,
  );
  expect(findingsSummary({ ...list, abandonedRuns: 3, rows: [row()] })).toBe(
    "1 option explains 58 of 71 failed runs. 3 of these runs never ended.",
  );
  expect(findingsSummary({ ...list, abandonedRuns: 3, lens: "error", rows: [row()] })).toBe(
    "1 option explains 58 of 71 runs with an error.",
  );
});

it("says what no row explains", () => {
  expect(chanceSentence({ ...failed, chance: 12.7 })).toBe(
    "No row explains 13 of 71 failed runs: chance, or causes of less than a tenth of an agent's failures, which are not named.",
  );
});
