import { expect, it } from "vitest";
import { parseScoreValue } from "./parse-score-value.ts";

it.each([
  ["true", true],
  [" false ", false],
  ["True", "True"],
  ["0.25", 0.25],
  ["-3", -3],
  ["1e3", 1000],
  [".5", 0.5],
  ["1,5", "1,5"],
  ["0x10", "0x10"],
  ["1e999", "1e999"],
  ["Infinity", "Infinity"],
  ["4 stars", "4 stars"],
  ["  ", undefined],
])("%j is the value %j: booleans and numbers are read as such, all other texts are labels", (text, value) => {
  expect(parseScoreValue(text)).toBe(value);
});
