import { expect, it } from "vitest";
import type { Blame, Suspect } from "../schemas/insights/blame.ts";
import { blameSentence, suspectSentence } from "./suspect-sentence.ts";

const suspect = (overrides: Partial<Suspect> = {}): Suspect => ({
  kind: "chose",
  decisionPointId: "d3",
  turn: 2,
  turns: [2, 4],
  type: "TOOL_SELECTION",
  signature: "00000000000001",
  step: "00000001",
  option: "search",
  suspicion: "likely",
  beforeMs: 1_200,
  place: null,
  explains: 58.3,
  ratio: 13,
  rate: 0.52,
  otherRate: 0.04,
  comparable: 312,
  experiment: null,
  clue: null,
  dithering: null,
  verdict: null,
  ...overrides,
});
it("says what an experiment measured instead of the association", () => {
  const experiment = { difference: -0.01, low: -0.08, high: 0.06, drawn: 120 };
  expect(suspectSentence(suspect({ suspicion: "none", experiment }), blame([])).text).toBe(
    "`search`, at turn 3 (or 5). It explains 58 of 71 failed runs of this agent. Measured by experiment, 120 drawn runs: those that " +
      "drew it failed 1 point less often than those that drew another (interval −8 to 6).",
  );
});

const ending: Blame["ending"] = { kind: "failed", turn: 5, isCircle: false };
const blame = (suspects: Suspect[], of: Partial<Blame["ending"]> = {}) => ({
  ending: { ...ending, ...of },
  badRuns: 71,
  suspects,
});

it("says first what explains the run, or that nothing does", () => {
  expect(blameSentence(blame([suspect()])).text).toBe("Likely: `search`, at turn 3 (or 5).");
  expect(
    blameSentence(blame([suspect({ suspicion: "possible", turns: [0] })], { isCircle: true })).text,
  ).toBe("Possible: `search`, at turn 1. It went in circles from turn 6 on.");
  expect(blameSentence(blame([suspect({ kind: "left-out", turn: null, turns: [] })])).text).toBe(
    "Likely: `search` was left out.",
  );
  expect(blameSentence(blame([suspect({ kind: "left-out", option: "", turns: [] })])).text).toBe(
    "Likely: something that other runs chose was left out.",
  );
  expect(blameSentence(blame([suspect({ suspicion: "none" })])).text).toBe("No decision explains this.");
  expect(blameSentence(blame([])).text).toBe("No decision explains this.");
});

it("gives no verdict while fewer than 20 runs went wrong, or fewer than 20 others were compared", () => {
  const sentence = (badRuns: number, comparedRuns: number) =>
    blameSentence({ ...blame([suspect({ suspicion: "none" })]), badRuns, comparedRuns }).text;
  expect(sentence(12, 500)).toBe(
    "Too few runs yet: 12 that went wrong and 488 others were compared, and 20 of each are needed.",
  );
  expect(sentence(40, 59)).toMatch(/^Too few runs yet: 40 that went wrong and 19 others/);
  expect(sentence(20, 40)).toBe("No decision explains this.");
  expect(blameSentence({ ...blame([]), badRuns: 0, comparedRuns: 0 }).text).toBe(
    "No decision explains this.",
  );
});

it("says the figures of a suspect that was compared", () => {
  expect(suspectSentence(suspect(), blame([])).text).toBe(
    "Likely: `search`, at turn 3 (or 5). It explains 58 of 71 failed runs of this agent. In the same situation 52 % of runs that chose it " +
      "failed, of others 4 % (312 choices comparable).",
  );
  expect(suspectSentence(suspect({ kind: "left-out", turns: [] }), blame([], { kind: "error" })).text).toBe(
    "Likely: `search` was left out. It explains 58 of 71 runs with an error of this agent. " +
      "Runs without it had an error 13 times as often in the same situation.",
  );
});

it("says that a suspect was not compared, without figures", () => {
  const none = { explains: null, ratio: null, rate: null, otherRate: null, comparable: null };
  expect(suspectSentence(suspect({ ...none, suspicion: "none" }), blame([])).text).toBe(
    "`search`, at turn 3 (or 5). It could not be compared in the same situation.",
  );
});
