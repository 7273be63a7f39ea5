import { Pauses } from "../pauses.ts";
import type { CountedRun } from "./counted-run.ts";

/** Fewer runs say little about an option. */
const MIN_RUNS = 20;
const LAST_SHARE = 0.95;
/** Of the share of bad runs among all runs. */
const MAX_BAD_SHARE = 0.1;
/** An agent may publish and then say so: each is the last step when the one after it is gone. */
const MAX_STEPS = 3;

/**
 * Leaves out what runs call last, and only when they go well, such as publishing a result. It says that the run went well and is
 * no alternative to what others chose at that time: compared with it, every other choice would look guilty.
 */
export function* dropSuccessfulEnds(
  runs: readonly CountedRun[],
  options: number,
): Generator<undefined, readonly CountedRun[]> {
  let left = runs;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const ends = yield* findSuccessfulEnds(left, options);
    if (ends.size === 0) break;
    left = left.map((run) => (isEndedBy(run, ends) ? withoutLastTurn(run) : run));
  }
  return left;
}

function* findSuccessfulEnds(
  runs: readonly CountedRun[],
  options: number,
): Generator<undefined, ReadonlySet<number>> {
  const pauses = new Pauses();
  const having = new Float64Array(options);
  const havingLast = new Float64Array(options);
  const havingBad = new Float64Array(options);
  let bad = 0;
  for (const { turns, isBad } of runs) {
    if (pauses.isDue(turns.length)) yield;
    if (isBad) bad += 1;
    const last = turns.length - 1;
    const earlier = new Set(turns.slice(0, last).flat());
    const final = turns[last] ?? [];
    for (const option of new Set([...earlier, ...final])) {
      having[option] = (having[option] ?? 0) + 1;
      if (isBad) havingBad[option] = (havingBad[option] ?? 0) + 1;
      if (!earlier.has(option) && final.length === 1) havingLast[option] = (havingLast[option] ?? 0) + 1;
    }
  }
  const maxBadShare = (MAX_BAD_SHARE * bad) / runs.length;
  const ends = new Set<number>();
  for (const [option, count] of having.entries())
    if (
      count >= MIN_RUNS &&
      (havingLast[option] ?? 0) >= LAST_SHARE * count &&
      (havingBad[option] ?? 0) <= maxBadShare * count
    )
      ends.add(option);
  return ends;
}

function isEndedBy({ turns, isBad, lastAtRisk }: CountedRun, ends: ReadonlySet<number>): boolean {
  const last = turns.length - 1;
  const [option, ...others] = turns[last] ?? [];
  const isOnset = isBad && lastAtRisk === last;
  return last > 0 && !isOnset && others.length === 0 && option !== undefined && ends.has(option);
}

function withoutLastTurn(run: CountedRun): CountedRun {
  const turns = run.turns.slice(0, -1);
  return { ...run, turns, lastAtRisk: Math.min(run.lastAtRisk, turns.length - 1) };
}
