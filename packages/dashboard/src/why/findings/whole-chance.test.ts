import type { FindingItem, Findings } from "@whytrace/contract";
import { expect, it } from "vitest";
import { wholeChance } from "./whole-chance.ts";

const row = (explains: number, overrides: Partial<FindingItem> = {}): FindingItem => ({
  agent: "agent",
  kind: "chose",
  group: "worse",
  countedFrom: null,
  place: null,
  signature: "1",
  type: "TOOL_SELECTION",
  step: String(explains),
  option: "search",
  isObserved: false,
  explains,
  togetherWith: [],
  ratio: 3,
  hiddenReason: 5.4,
  rate: 0.5,
  otherRate: 0.1,
  comparable: 40,
  decisions: 50,
  clusters: 40,
  adjusted: 0.001,
  since: null,
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
const list = (rows: FindingItem[], badRuns: number, chance: number): Parameters<typeof wholeChance>[0] =>
  ({ rows, badRuns, chance }) satisfies Pick<Findings, "rows" | "badRuns" | "chance">;

it("adds up with the rounded figures of all rows that explain bad runs", () => {
  expect(wholeChance(list([row(10.5), row(20.5)], 40, 9))).toBe(8);
  expect(wholeChance(list([row(10.4), row(3, { group: "undecided" })], 40, 29.6))).toBe(30);
  expect(wholeChance(list([], 12, 12))).toBe(12);
});

it("is what the server says if rows explain the same runs, and never below 0", () => {
  expect(wholeChance(list([row(30, { togetherWith: ["2"] }), row(30)], 40, 9.6))).toBe(10);
  expect(wholeChance(list([row(1.5), row(1.5)], 3, 0))).toBe(0);
});
