import { expect, it } from "vitest";
import type { Issue } from "../schemas/issues/issues.ts";
import { explanationSentence, unexplainedSentence, unexplainedWords } from "./issue-explanation.ts";

const unexplained = (reason: NonNullable<Issue["unexplained"]>["reason"]) => ({
  likely: null,
  unexplained: { reason, comparedRuns: 500, badRuns: 12 },
});

it("says of an issue without a decision what is said of its runs, and no verdict before they are compared", () => {
  const said = (["pending", "too-few-runs", "varies", "none"] as const).map((reason) => [
    unexplainedWords(unexplained(reason)),
    unexplainedSentence(unexplained(reason)),
  ]);
  expect(said).toEqual([
    ["not explained yet", "It is not explained yet."],
    [
      "too few runs yet",
      "Too few runs yet: 12 that went wrong and 488 others were compared, and 20 of each are needed.",
    ],
    [
      "no single decision",
      "No single decision explains most of its newest runs. The page of each run says what explains that run.",
    ],
    ["no decision explains it", "No decision explains this."],
  ]);
});

it("names the decision, the better one and both rates", () => {
  const likely = {
    word: "likely" as const,
    option: "refund_api",
    alternative: "ask_human",
    chosen: { failed: 52, decisions: 100 },
    alternativeRate: 0.16,
    signature: "00000000000001",
    step: "00000001",
  };
  const issue = { likely, unexplained: null };
  expect(explanationSentence(issue, (option) => `"${option}"`)).toBe(
    'Likely: "refund_api"; a run that went well chose "ask_human". ' +
      "In the same situation 52 % of 100 choices of it ended in a bad run, of others 16 %.",
  );
  const bare = { ...likely, word: "possible" as const, alternative: null, alternativeRate: null };
  expect(explanationSentence({ likely: bare, unexplained: null })).toBe("Possible: refund_api.");
  expect(explanationSentence(unexplained("none"))).toBe("No decision explains this.");
});
