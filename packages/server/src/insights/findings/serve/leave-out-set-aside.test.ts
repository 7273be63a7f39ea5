import { expect, it } from "vitest";
import type { FindingRow } from "../findings-body.ts";
import type { StoredList } from "../stored/read-stored-findings.ts";
import { leaveOutSetAside } from "./leave-out-set-aside.ts";

const row = (step: number, explains: number, overrides: Partial<FindingRow> = {}): FindingRow => ({
  kind: "chose",
  group: "worse",
  basis: "observed",
  refusal: null,
  holdsIn: null,
  readings: null,
  answered: null,
  signature: step * 10,
  step,
  type: "TOOL_SELECTION",
  isObserved: false,
  isAdjusted: true,
  decisions: 30,
  comparable: 30,
  clusters: 30,
  togetherWith: [],
  figures: { explains, ratio: 2, rate: 0.4, otherRate: 0.2, adjusted: 0.001 },
  ...overrides,
});
const list = (rows: FindingRow[], chance: number): StoredList => ({
  agentHash: 1,
  computedAt: "2026-11-01T00:00:00.000Z",
  since: [],
  body: {
    version: 1,
    runs: 100,
    openRuns: 0,
    countedRuns: 100,
    isTruncated: false,
    countedFrom: null,
    standsFor: 100,
    badRuns: 20,
    badIn: { failed: 20, error: 20, scored: 0 },
    abandonedRuns: 0,
    clusters: 100,
    chance,
    smallest: 0.001,
    smallestOfCosts: 1,
    hasSituation: true,
    hasUnknownSampling: false,
    leftOut: { unknown: 0, notAsked: 0 },
    answers: null,
    rows,
  },
});

it("leaves out what was set aside, and counts what it explained as chance", () => {
  const rows = [row(1, 12), row(2, 5), row(3, 4, { group: "undecided" })];
  const [left] = leaveOutSetAside([list(rows, 3)], new Set([10]));
  expect(left?.body.rows.map(({ step }) => step)).toEqual([2, 3]);
  expect(left?.body.chance).toBe(15);
});

it("names no row that is left out, and never takes chance away", () => {
  const together = [row(1, 12, { togetherWith: [2, 3] }), row(2, 12, { togetherWith: [1] }), row(3, 9)];
  const [left] = leaveOutSetAside([list(together, 3)], new Set([20]));
  expect(left?.body.rows[0]?.togetherWith).toEqual([3]);
  expect(left?.body.chance).toBe(3);
});

it("leaves a list as it is if nothing of it was set aside", () => {
  const lists = [list([row(1, 12)], 8)];
  expect(leaveOutSetAside(lists, new Set([99]))).toEqual(lists);
});
