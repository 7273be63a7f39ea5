import { Pauses } from "../pauses.ts";
import type { CountedRuns } from "./counted-run.ts";

/** An option that so many of the good runs choose is usual: leaving it out may be a cause. */
const USUAL_SHARE = 0.5;
const STAND_IN_SHARE = 0.7;

/**
 * The usual options that have no stand-in. A stand-in is chosen in most runs without the option and in few with it: then it is
 * the choice of the stand-in that counts, and not what it stands for.
 */
export function* usualOptions({ runs, options }: CountedRuns): Generator<undefined, number[]> {
  const pauses = new Pauses();
  const chosen = new Float64Array(options);
  const sets: Set<number>[] = [];
  let good = 0;
  for (const { turns, isBad, weight } of runs) {
    const set = new Set(turns.flat());
    sets.push(set);
    if (pauses.isDue(turns.length)) yield;
    if (isBad) continue;
    good += weight;
    for (const option of set) chosen[option] = (chosen[option] ?? 0) + weight;
  }
  const usual: number[] = [];
  for (const [option, weight] of chosen.entries()) {
    if (weight < USUAL_SHARE * good || weight >= good) continue;
    const withIt = new Float64Array(options);
    const withoutIt = new Float64Array(options);
    let having = 0;
    for (const set of sets) {
      const isChosen = set.has(option);
      if (isChosen) having += 1;
      const counts = isChosen ? withIt : withoutIt;
      for (const other of set) counts[other] = (counts[other] ?? 0) + 1;
      if (pauses.isDue(set.size)) yield;
    }
    const hasStandIn = withoutIt.some((count, other) => {
      const isOftenChosen = count >= STAND_IN_SHARE * (sets.length - having);
      return other !== option && isOftenChosen && (withIt[other] ?? 0) <= (1 - STAND_IN_SHARE) * having;
    });
    if (!hasStandIn) usual.push(option);
  }
  return usual;
}
