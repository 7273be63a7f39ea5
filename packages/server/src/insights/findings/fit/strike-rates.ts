import type { CountedRun } from "../runs/counted-run.ts";
import type { Fit } from "./fit-causes.ts";

const MAX_STRIKE_RATE = 0.9;

/** By option: how often a choice of it makes a run go wrong. */
export function strikeRates(runs: readonly CountedRun[], { chose }: Fit): Float64Array {
  const chosen = new Float64Array(chose.length);
  for (const { turns, weight, lastAtRisk } of runs)
    for (let turn = 0; turn <= lastAtRisk; turn += 1)
      for (const option of turns[turn] ?? []) chosen[option] = (chosen[option] ?? 0) + weight;
  return chose.map((explained, option) =>
    Math.min(MAX_STRIKE_RATE, explained / Math.max(1, chosen[option] ?? 0)),
  );
}
