import { Pauses } from "../pauses.ts";
import type { CountedRun } from "../runs/counted-run.ts";
import { type Experiment, experimentDifference, type Trial } from "./experiment-difference.ts";

/** By option: what draws say of it. Only draws of one place are compared; those after a run went wrong count as well. */
export function* measureExperiments(
  runs: readonly CountedRun[],
): Generator<undefined, ReadonlyMap<number, Experiment>> {
  const pauses = new Pauses();
  const byPlace = new Map<number, Trial[]>();
  for (const { draws = [], cluster, weight, isBad } of runs) {
    for (const { place, option, probability } of draws) {
      const trials = byPlace.get(place) ?? [];
      byPlace.set(place, trials);
      trials.push({ cluster, option, weight: weight / probability, isBad });
    }
    if (pauses.isDue(1 + draws.length)) yield;
  }
  const experiments = new Map<number, Experiment>();
  for (const trials of byPlace.values())
    for (const option of new Set(trials.map((trial) => trial.option))) {
      const experiment = experimentDifference(trials, option);
      if (experiment) experiments.set(option, experiment);
      if (pauses.isDue(trials.length)) yield;
    }
  return experiments;
}
