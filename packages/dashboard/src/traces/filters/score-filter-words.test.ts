import { expect, it } from "vitest";
import { scoreFilterWords } from "./score-filter-words.ts";

it.each([
  [{}, undefined],
  [{ scoreName: "helpful" }, "helpful"],
  [{ scoreName: "helpful", scoreIs: "false" }, "helpful false"],
  [{ scoreName: "correct", scoreBelow: "0.5" }, "correct below 0.5"],
  [{ scoreName: "correct", scoreAbove: "0.2", scoreBelow: "0.5" }, "correct above 0.2 below 0.5"],
  [{ scoreName: "helpful", scoreMissing: "true" }, "helpful, missing"],
  [{ scoreName: "helpful", scoreAsked: "yes", scoreMissing: "true" }, "helpful, asked, no answer"],
  [{ scoreName: "helpful", scoreAsked: "no" }, "helpful, not asked"],
] as const)("the chip of %j says %j: what is asked of the score", (search, words) => {
  expect(scoreFilterWords(search)).toBe(words);
});
