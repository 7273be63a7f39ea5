import { expect, it } from "vitest";
import { shortCount, shortPercent, shortRatio } from "./short-numbers.ts";

it("shows neither a rare thing as never nor a frequent one as always", () => {
  expect([0, 0.0001, 0.004, 0.0123, 0.5238, 0.9, 0.996, 0.99999, 1].map(shortPercent)).toEqual([
    "0 %",
    "0.1 %",
    "0.4 %",
    "1 %",
    "52 %",
    "90 %",
    "99.6 %",
    "99.9 %",
    "100 %",
  ]);
});

it("rounds ratios and counts to what a reader needs", () => {
  expect([1, 1.25, 3.44, 9.96, 16.2, 1_234.5].map(shortRatio)).toEqual([
    "1",
    "1.3",
    "3.4",
    "10",
    "16",
    "1,235",
  ]);
  expect([0, 58.3, 1_000].map(shortCount)).toEqual(["0", "58", "1,000"]);
});
