import { expect, it } from "vitest";
import { judgedBadShares } from "./judged-bad-shares.ts";

const CALLED_BAD = { label: "false", judged: 212, reviewed: 96, agreed: 71 };
const CALLED_GOOD = { label: "true", judged: 1_198, reviewed: 68, agreed: 63 };
const CONFUSION = [
  { judge: "false", person: "false", runs: 71 },
  { judge: "false", person: "true", runs: 25 },
  { judge: "true", person: "false", runs: 5 },
  { judge: "true", person: "true", runs: 63 },
];

it("weighs reviews by what the judge said: a few missed runs among many others are many", () => {
  const shares = judgedBadShares({ byLabel: [CALLED_BAD, CALLED_GOOD], confusion: CONFUSION });
  expect(shares?.right).toBeCloseTo(0.74, 2);
  expect(shares?.found).toBeCloseTo(0.64, 2);
});

it("says nothing about what nobody reviewed", () => {
  const unreviewed = { ...CALLED_GOOD, reviewed: 0, agreed: 0 };
  expect(judgedBadShares({ byLabel: [CALLED_BAD, unreviewed], confusion: CONFUSION.slice(0, 2) })).toEqual({
    right: 71 / 96,
    found: null,
  });
  expect(judgedBadShares({ byLabel: [CALLED_GOOD], confusion: CONFUSION.slice(2) })).toBe(null);
});
