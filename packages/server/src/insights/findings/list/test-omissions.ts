import type { CountedRuns } from "../runs/counted-run.ts";
import { isWorseWithout } from "./is-worse-without.ts";
import type { OptionTest } from "./option-test.ts";
import { stratifiedTest } from "./stratified-test.ts";
import type { TurnsAtRisk } from "./turns-at-risk.ts";

/** What is left out must go wrong so many times as often: small differences have many reasons. */
const MIN_RATIO = 3;

/**
 * Tests whether turns go wrong more often as long as a usual option was not chosen, in the same state and with the same call, and
 * whether runs without it are bad more often in the end.
 */
export function* testOmissions(
  { turns, callStates }: TurnsAtRisk,
  { runs, options }: CountedRuns,
  usual: readonly number[],
): Generator<undefined, OptionTest[]> {
  const results = yield* stratifiedTest({
    lines: turns.filter(({ showsOmissions }) => showsOmissions),
    strata: callStates,
    options,
    clusterOf: ({ run }) => run.cluster,
    weightOf: ({ run }) => run.weight,
    stratumOf: ({ callState }) => callState,
    exposuresOf: ({ leftOut }) => leftOut,
    badOf: ({ run, left }) => Number(run.isBad && left === 1),
    riskOf: () => 1,
    isOnce: false,
  });
  const tests: OptionTest[] = [];
  for (const option of usual) {
    const result = results[option];
    if (!result || result.ratio < MIN_RATIO || !(yield* isWorseWithout(runs, option))) continue;
    tests.push({ ...result, kind: "left out", option, riskP: result.p });
  }
  return tests;
}
