import { expect, it } from "vitest";
import type { FindingRow } from "../findings-body.ts";
import type { StoredList } from "../stored/read-stored-findings.ts";
import { dropChanceAgents } from "./drop-chance-agents.ts";

const row = (group: FindingRow["group"]): FindingRow => ({
  kind: "chose",
  group,
  basis: "observed",
  refusal: null,
  holdsIn: null,
  readings: null,
  answered: null,
  signature: 1,
  step: 2,
  type: "TOOL_SELECTION",
  isObserved: false,
  isAdjusted: true,
  decisions: 30,
  comparable: 30,
  clusters: 30,
  togetherWith: [],
});
const list = (agentHash: number, smallest: number, smallestOfCosts = 1): StoredList => ({
  agentHash,
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
    badRuns: 10,
    badIn: { failed: 10, error: 10, scored: 0 },
    abandonedRuns: 0,
    clusters: 100,
    chance: 2,
    smallest,
    smallestOfCosts,
    hasSituation: true,
    hasUnknownSampling: false,
    leftOut: { unknown: 0, notAsked: 0 },
    answers: null,
    rows: [row("worse"), row("undecided"), row("apart")],
  },
});
const groupsOf = (lists: StoredList[]) => lists.map(({ body }) => body.rows.map(({ group }) => group));
const allOf = (lists: StoredList[], lens = 0) =>
  lists.map(({ agentHash, body: { smallest } }) => ({ agentHash, lens, smallest }));

it("leaves out what one of many agents shows by chance, and counts its bad runs as chance", () => {
  // 0.03 of ten agents is 0.15 by Benjamini and Hochberg: 0.0001 · 10 = 0.001 holds, 0.03 · 10 / 2 does not.
  const lists = [list(1, 0.0001), list(2, 0.03), ...Array.from({ length: 8 }, (_, n) => list(n + 3, 1))];
  const kept = dropChanceAgents(lists, 0, allOf(lists));
  expect(groupsOf(kept.slice(0, 2))).toEqual([["worse", "undecided", "apart"], ["apart"]]);
  expect(kept.slice(0, 2).map(({ body }) => body.chance)).toEqual([2, 10]);
});

it("holds what costs more against the costs of other agents only", () => {
  const ofCosts = (agentHash: number, smallest: number, smallestOfCosts: number): StoredList => {
    const { body, ...rest } = list(agentHash, smallest, smallestOfCosts);
    return { ...rest, body: { ...body, rows: [...body.rows, row("dearer")] } };
  };
  const lists = [ofCosts(1, 1, 0.01), ofCosts(2, 0.001, 0.04), ...[3, 4].map((hash) => list(hash, 1))];
  // 0.01 · 4 = 0.04 holds; 0.04 · 4 / 2 does not.
  expect(groupsOf(dropChanceAgents(lists, 0, allOf(lists)).slice(0, 2))).toEqual([
    ["apart", "dearer"],
    ["worse", "undecided", "apart"],
  ]);
});

it("keeps all rows of a single agent", () => {
  const lists = [list(1, 0.03)];
  expect(groupsOf(dropChanceAgents(lists, 0, allOf(lists)))).toEqual([["worse", "undecided", "apart"]]);
});

it("takes the lists of other lenses as further looks", () => {
  const lists = [list(1, 0.03)];
  const all = [...allOf(lists), { agentHash: 1, lens: 1, smallest: 1 }];
  expect(groupsOf(dropChanceAgents(lists, 0, all))).toEqual([["apart"]]);
});
