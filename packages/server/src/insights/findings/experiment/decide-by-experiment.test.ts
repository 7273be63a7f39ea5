import { expect, it } from "vitest";
import type { Finding, FindingsList } from "../list/finding.ts";
import type { OptionTest } from "../list/option-test.ts";
import { decideByExperiment } from "./decide-by-experiment.ts";
import type { Experiment } from "./experiment-difference.ts";

/** Observed: 40 % of the runs that chose it are bad, of others 10 %. */
const option = (number: number): OptionTest => ({
  kind: "chose",
  option: number,
  p: 0.001,
  riskP: 0.001,
  excess: 10,
  ratio: 4,
  rate: 0.4,
  otherRate: 0.1,
  lines: 100,
  exposed: 100,
  others: 100,
  clusters: 100,
});
const finding = (test: OptionTest, group: Finding["group"] = "worse"): Finding => ({
  ...test,
  group,
  adjusted: 0.002,
  explains: 20,
});
const experiment = (low: number, high: number, p: number): Experiment => ({
  difference: (low + high) / 2,
  low,
  high,
  drawn: 212,
  p,
});
const HARMFUL = experiment(0.1, 0.4, 0.0001);
const HARMLESS = experiment(-0.1, 0.1, 0.5);
const UNCLEAR = experiment(-0.05, 0.35, 0.1);

function decide(findings: Finding[], experiments: [number, Experiment][], choices = [option(0), option(1)]) {
  const list: FindingsList = {
    findings,
    apart: [],
    tests: choices,
    experiments: new Map(experiments),
    cleared: new Set(),
  };
  return decideByExperiment(list, choices, () => 7);
}
const named = ({ findings }: FindingsList) => findings.map((one) => [one.kind, one.option, one.group]);

it("returns the same list where nothing was drawn", () => {
  const list = {
    findings: [finding(option(0))],
    apart: [],
    tests: [],
    experiments: new Map(),
    cleared: new Set<number>(),
  };
  expect(decideByExperiment(list, [], () => 0)).toBe(list);
});

it("clears an option that does less harm than it seemed to, named or undecided", () => {
  for (const group of ["worse", "undecided"] as const) {
    const decided = decide([finding(option(0), group)], [[0, HARMLESS]]);
    expect(named(decided)).toEqual([]);
    expect([...decided.cleared]).toEqual([0]);
  }
});

it("names an option that does harm, also if observation did not, with what the draws say", () => {
  const [found] = decide([], [[1, HARMFUL]]).findings;
  expect(found).toMatchObject({ kind: "chose", option: 1, group: "worse", explains: 7, adjusted: 0.0001 });
  expect(named(decide([finding(option(1), "undecided")], [[1, HARMFUL]]))).toEqual([["chose", 1, "worse"]]);
});

it("leaves undecided what the draws cannot tell, and does not touch what was left out", () => {
  const decided = decide(
    [finding(option(0)), finding({ ...option(1), kind: "left out" })],
    [
      [0, UNCLEAR],
      [1, HARMLESS],
    ],
  );
  expect(named(decided)).toEqual([
    ["left out", 1, "worse"],
    ["chose", 0, "undecided"],
  ]);
  expect([...decided.cleared]).toEqual([1]);
});

it("asks more of a difference the more options were drawn", () => {
  const doubtful = experiment(0.01, 0.3, 0.02);
  const other = (count: number) =>
    Array.from({ length: count }, (_, index): [number, Experiment] => [index + 1, UNCLEAR]);
  expect(named(decide([], [[0, doubtful]]))).toHaveLength(1);
  expect(named(decide([], [[0, doubtful], ...other(3)]))).toHaveLength(0);
});
