import { Pauses } from "../pauses.ts";
import { type CountedRun, callOf, NO_OPTION } from "./counted-run.ts";

/** Fewer runs say little about an option. */
const MIN_RUNS = 20;
const LAST_SHARE = 0.95;
/** Of the share of bad runs among all runs. */
const MAX_BAD_SHARE = 0.1;
/** What hardly any run survives is a way to give up, no alternative either. */
const MAX_BAD_SHARE_OF_ALTERNATIVE = 0.9;
/** An agent may publish and then say so: each is the last step when the one after it is gone. */
const MAX_STEPS = 3;

/**
 * Leaves out what runs call last, and only when they go well, such as publishing a result. It says that the run went well and is
 * no alternative to what others chose at that time: compared with it, every other choice would look guilty. It is one if runs
 * that come from the same step also end with something else, some well and some badly, such as an answer by another model.
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
  /** What comes before an option that is last, and how often. */
  const before = new Map<number, Map<number, number>>();
  let bad = 0;
  for (const run of runs) {
    const { turns, isBad } = run;
    if (pauses.isDue(turns.length)) yield;
    if (isBad) bad += 1;
    const last = turns.length - 1;
    const earlier = new Set(turns.slice(0, last).flat());
    const final = turns[last] ?? [];
    for (const option of new Set([...earlier, ...final])) {
      having[option] = (having[option] ?? 0) + 1;
      if (isBad) havingBad[option] = (havingBad[option] ?? 0) + 1;
      if (earlier.has(option) || final.length !== 1) continue;
      havingLast[option] = (havingLast[option] ?? 0) + 1;
      const counts = before.get(option) ?? new Map<number, number>();
      const previous = callOf(run, last - 1);
      before.set(option, counts.set(previous, (counts.get(previous) ?? 0) + 1));
    }
  }
  const maxBadShare = (MAX_BAD_SHARE * bad) / runs.length;
  const ends = new Map<number, number>();
  const withAlternative = new Set<number>();
  for (const [option, counts] of before) {
    const count = having[option] ?? 0;
    if (count < MIN_RUNS || (havingLast[option] ?? 0) < LAST_SHARE * count) continue;
    const badShare = (havingBad[option] ?? 0) / count;
    if (badShare <= maxBadShare) ends.set(option, mostCommon(counts));
    else if (badShare <= MAX_BAD_SHARE_OF_ALTERNATIVE) withAlternative.add(mostCommon(counts));
  }
  return new Set([...ends].flatMap(([option, previous]) => (withAlternative.has(previous) ? [] : [option])));
}

function mostCommon(counts: ReadonlyMap<number, number>): number {
  const [[option] = [NO_OPTION]] = [...counts].sort(([, a], [, b]) => b - a);
  return option;
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
