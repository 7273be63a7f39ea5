import { expect, it } from "vitest";
import { findCircle } from "./find-circle.ts";

const turns = (text: string) => [...text].map((letter) => [letter.charCodeAt(0)]);

it.each([
  ["abcbcbcb", 1],
  ["abcbcb", undefined],
  ["abccc", 2],
  ["abcc", undefined],
  ["cabcabcabc", 0],
  ["abcdabcdabcd", 0],
  ["abcdeabcdeabcde", undefined],
  ["aaab", undefined],
  ["", undefined],
])("of the turns %s begins at %s", (text, start) => {
  expect(findCircle(turns(text))).toBe(start);
});

it("does not depend on the order of parallel calls", () => {
  expect(findCircle([[9], [1, 2], [2, 1], [1, 2]])).toBe(1);
  expect(findCircle([[9], [1, 2], [2, 3], [1, 2]])).toBeUndefined();
});
