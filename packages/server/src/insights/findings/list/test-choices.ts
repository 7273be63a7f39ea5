import type { CountedRuns } from "../runs/counted-run.ts";
import type { Lines } from "./lines.ts";
import type { OptionTest } from "./option-test.ts";
import { stratifiedTest, type TestResult } from "./stratified-test.ts";
import type { TurnAtRisk, TurnsAtRisk } from "./turns-at-risk.ts";

/** A choice is held against what happens at its own turn, and within four turns. What happens later has a test of its own. */
const WINDOWS = [1, 4];

/**
 * Tests whether a choice is followed by more bad runs than others in the same state: by risk, to the end of the run, and by rate,
 * per turn at risk. Risk alone accuses what comes early, because more turns are left in which something can happen. Rate alone
 * accuses the turn where an error shows.
 */
export function* testChoices(
  { turns, states, callStates }: TurnsAtRisk,
  { runs, options }: CountedRuns,
): Generator<undefined, OptionTest[]> {
  const common = { ...linesOf(turns), options };
  const byState = { ...common, strata: states, stratumOf: ({ state }: TurnAtRisk) => state };
  const byRisk = yield* stratifiedTest({
    ...byState,
    exposuresOf: ({ chosen }) => chosen,
    badOf: ({ run }) => Number(run.isBad),
    riskOf: () => 1,
    isOnce: true,
  });
  const named = (rateP: (option: number) => number) =>
    byRisk.map((result, option): OptionTest => {
      const p = Math.max(result.p, rateP(option));
      return { ...result, kind: "chose", option, riskP: result.p, p };
    });
  // A score of the whole run is not located in time, so no turns are at risk.
  if (runs.some(({ isBad, isLocated }) => isBad && !isLocated)) return named(() => 0);
  const byRate: TestResult[][] = [];
  for (const window of WINDOWS)
    byRate.push(
      yield* stratifiedTest({
        ...byState,
        exposuresOf: ({ chosen }) => chosen,
        badOf: ({ run, left }) => Number(run.isBad && left <= window),
        riskOf: ({ left }) => Math.min(window, left),
        isOnce: false,
      }),
    );
  byRate.push(
    yield* stratifiedTest({
      ...common,
      strata: callStates,
      stratumOf: ({ callState }) => callState,
      exposuresOf: ({ chosenBefore }) => chosenBefore,
      badOf: ({ run, left }) => Number(run.isBad && left === 1),
      riskOf: () => 1,
      isOnce: false,
    }),
  );
  return named((option) => {
    const smallest = Math.min(...byRate.map((results) => results[option]?.p ?? 1));
    return Math.min(1, byRate.length * smallest);
  });
}

const linesOf = (turns: readonly TurnAtRisk[]) =>
  ({
    lines: turns,
    clusterOf: ({ run }) => run.cluster,
    weightOf: ({ run }) => run.weight,
  }) satisfies Partial<Lines<TurnAtRisk>>;
