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
  countedFrom: null,
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
  basis: "observed",
  refusal: null,
  holdsIn: null,
  readings: null,
  answered: null,
  isAdjusted: true,
  cost: null,
  experiment: null,
  ...overrides,
});
const failed = { badRuns: 71, lens: "failed" } as const;

it("says what a turn costs, and what others cost in the same situation", () => {
  const none = { explains: null, ratio: null, rate: null, otherRate: null, hiddenReason: null };
  const cost = { usd: 0.0312, otherUsd: 0.0123, excessUsd: 5.9 };
  const dearer = row({ group: "dearer", ...none, cost });
  expect(findingSentence(dearer, failed).text).toBe(
    "A turn with `lookup_cache` costs $0.0312 on average, of others in the same situation $0.0123: $5.90 more in all " +
      "(312 of 1,390 choices comparable, 204 sessions or single runs). Holds since 3 November.",
  );
  expect(findingCaveats(dearer, failed)).toEqual([]);
});

describe("a finding where not every run has a score", () => {
  const scored = { badRuns: 71, lens: "scored" } as const;
  const rates = { rate: 0.36, otherRate: 0.18, comparable: 120 };
  const figures = { explains: null, ratio: null, rate: null, otherRate: null, hiddenReason: null };
  const unclear = (overrides: Partial<FindingItem>) =>
    findingSentence(
      row({
        ...figures,
        group: "unclear",
        basis: null,
        readings: { answered: rates, silenceGood: { ...rates, rate: 0.1, otherRate: 0.05 } },
        ...overrides,
      }),
      scored,
    ).text;

  it("says that it does not depend on silent runs, and if one side answers half as often again", () => {
    const answered = { share: 0.31, otherShare: 0.12 };
    expect(findingCaveats(row({ basis: "readings", answered, hiddenReason: null }), scored)).toEqual([
      "The difference holds whether silent runs are left out or taken for good.",
      "Answered: 31 % after lookup_cache, 12 % after others.",
    ]);
    const alike = { share: 0.31, otherShare: 0.25 };
    expect(findingCaveats(row({ basis: "readings", answered: alike, hiddenReason: null }), scored)).toEqual([
      "The difference holds whether silent runs are left out or taken for good.",
    ]);
  });

  it("says why an option is not listed that one way to count silent runs shows", () => {
    expect(unclear({ refusal: "readings", holdsIn: "answered" })).toBe(
      "Runs with `lookup_cache` had a bad score more often (36 %, of others 18 %), only of those who answered. " +
        "Not listed: it may be made by who votes.",
    );
    expect(unclear({ refusal: "readings", holdsIn: "silenceGood" })).toBe(
      "Runs with `lookup_cache` had a bad score more often (10 %, of others 5 %), only if silence is good. " +
        "Not listed: it may be made by who votes.",
    );
    expect(unclear({ refusal: "few", holdsIn: "silenceGood" })).toBe(
      "Runs with `lookup_cache` had a bad score more often (10 %, of others 5 %) if silence is good. Not listed: of runs that were " +
        "judged, fewer than 20 decisions can be compared on a side.",
    );
    expect(unclear({ refusal: "oneSided", holdsIn: "silenceGood" })).toContain("Complaints only.");
  });
});

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
    "Not adjusted: nothing is known before this choice. Name a situation key, or let the SDK draw.",
  ]);
  expect(findingCaveats(row({ hiddenReason: null }), failed)).toEqual([]);
});

it("says what an experiment measured in the place of the association, and of no hidden reason", () => {
  const measured = row({
    experiment: { difference: 0.31, low: 0.24, high: 0.38, drawn: 212 },
    isAdjusted: false,
  });
  expect(findingSentence(measured, failed).text).toContain(
    "explains 58 of 71 failed runs. Measured by experiment, 212 drawn runs: those that drew it failed 31 points more " +
      "often than those that drew another (interval 24 to 38).",
  );
  expect(findingCaveats(measured, failed)).toEqual([]);
  const experiment = { difference: 0.1, low: -0.05, high: 0.25, drawn: 48 };
  expect(findingSentence(row({ group: "undecided", experiment }), failed).text).toContain(
    " failed more often in the same situation. An experiment of 48 drawn runs cannot tell yet whether it does harm " +
      "(interval −5 to 25 points).",
  );
});

it("says for how many runs sampled ones stand", () => {
  expect(noFindingsSentence({ countedRuns: 300, standsFor: 1_870, badRuns: 41, lens: "failed" })).toMatch(
    /^Nothing stands out in 300 runs, which stand for 1,870, with 41 failures\. /,
  );
});

it("says of an empty list how much it means", () => {
  const sentence = (countedRuns: number, badRuns: number) =>
    noFindingsSentence({ countedRuns, standsFor: countedRuns, badRuns, lens: "failed" });
  expect(sentence(300, 41)).toBe(
    "Nothing stands out in 300 runs with 41 failures. Faults that strike one in three choices are usually found by now; " +
      "rarer ones, and causes of less than a tenth of an agent's failures, are not.",
  );
  expect(sentence(40, 1)).toMatch(/^Nothing stands out in 40 runs with 1 failure\. That is too few: /);
  expect(sentence(1, 0)).toBe("None of 1 run failed.");
  expect(sentence(0, 0)).toBe("No run of this time range decided something and has ended.");
});

it("says of a list how much its rows explain together", () => {
  const list = { ...failed, countedRuns: 300, standsFor: 300, abandonedRuns: 0, chance: 12.7 };
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
