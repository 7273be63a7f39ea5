import { expect, it } from "vitest";
import { findOccurrences } from "./find-occurrences.ts";

it("finds a text as it is written, ignoring case", () => {
  expect(findOccurrences("Refund, refund, REFUND", "refund")).toEqual([
    [0, 6],
    [8, 14],
    [16, 22],
  ]);
  expect(findOccurrences("ÄRGER ärger", "Ärger")).toHaveLength(2);
  expect(findOccurrences("a.b a+b", "a.b")).toEqual([[0, 3]]);
  expect(
    findOccurrences(String.raw`\d $1 (x) [y] {z} ^ | / -`, String.raw`\d $1 (x) [y] {z} ^ | / -`),
  ).toHaveLength(1);
});

it("gives positions in the text itself, also after letters whose lower case is longer", () => {
  expect(findOccurrences("İİ refund", "refund")).toEqual([[3, 9]]);
  expect(findOccurrences("😀 refund", "REFUND")).toEqual([[3, 9]]);
});

it("finds nothing for an empty query, and stops at the maximum", () => {
  expect(findOccurrences("aaa", "")).toEqual([]);
  expect(findOccurrences("aaa", "a", 2)).toHaveLength(2);
});
