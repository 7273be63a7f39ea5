import { holm } from "../../statistics/hypothesis-tests/holm.ts";
import type { CountedRuns } from "../runs/counted-run.ts";
import { fixedSteps } from "../runs/fixed-steps.ts";
import { LEVEL } from "./list-findings.ts";
import { stratifiedTest, type TestResult } from "./stratified-test.ts";
import { type TurnAtRisk, turnsAtRisk } from "./turns-at-risk.ts";

/** Costs grow with every turn, and a turn bucket holds several: a smaller difference may be made by the length of a run. */
const MIN_RATIO = 1.5;

/** An option after which a turn costs more. `rate` and `otherRate` are mean costs in US dollars, `excess` is a sum of them. */
export interface DearOption extends TestResult {
  option: number;
  /** By Holm, for all options that were tested. */
  adjusted: number;
}

interface CostList {
  /** What costs the most in all comes first. */
  dearer: readonly DearOption[];
  /** The smallest adjusted p of all options, whether or not one is listed. */
  smallest: number;
}

/**
 * The options after which a turn costs more than after others in the same state. Only turns with one option are compared: what
 * several calls cost together says nothing about one of them.
 */
export function* listCosts(counted: CountedRuns): Generator<undefined, CostList> {
  if (counted.runs.every(({ costs }) => costs === undefined)) return { dearer: [], smallest: 1 };
  const { turns, states } = yield* turnsAtRisk(counted, []);
  const fixed = yield* fixedSteps(counted);
  const results = yield* stratifiedTest({
    lines: turns.filter((turn) => turn.chosen.length === 1 && costOf(turn) !== null),
    strata: states,
    options: counted.options,
    clusterOf: ({ run }) => run.cluster,
    weightOf: ({ run }) => run.weight,
    stratumOf: ({ state }) => state,
    exposuresOf: ({ chosen }) => chosen,
    badOf: (turn) => costOf(turn) ?? 0,
    riskOf: () => 1,
    isOnce: true,
  });
  const open = [...results.entries()].filter(([option, { p }]) => p < 1 && !fixed.has(option));
  const adjusted = holm(open.map(([, { p }]) => p));
  const tested = open.map(([option, result], index) => {
    return { ...result, option, adjusted: adjusted[index] ?? 1 };
  });
  return {
    dearer: tested
      .filter((one) => one.adjusted < LEVEL && one.rate >= MIN_RATIO * one.otherRate)
      .sort((one, other) => other.excess - one.excess),
    smallest: Math.min(1, ...adjusted),
  };
}

const costOf = ({ run, left }: TurnAtRisk): number | null => run.costs?.[run.lastAtRisk + 1 - left] ?? null;
