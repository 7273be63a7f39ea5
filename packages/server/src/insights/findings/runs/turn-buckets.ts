import type { CountedRun } from "./counted-run.ts";

/** A bucket holds so many turns, times the root of the number of runs: the more runs, the finer. */
const TURNS_PER_BUCKET = 50;
/** Turns that a smaller share of the good runs reaches are one bucket: there is little to compare them with. */
const LATE_SHARE = 0.1;
const MAX_BUCKETS = 128;

/** Puts turns that are compared with each other into buckets: the first turn alone, later ones until a bucket holds enough. */
export function turnBuckets(runs: readonly Pick<CountedRun, "turns" | "isBad">[]): number[] {
  const reached: number[] = [];
  const reachedByGood: number[] = [];
  for (const { turns, isBad } of runs)
    for (let turn = 0; turn < turns.length; turn += 1) {
      reached[turn] = (reached[turn] ?? 0) + 1;
      reachedByGood[turn] = (reachedByGood[turn] ?? 0) + (isBad ? 0 : 1);
    }
  const enough = TURNS_PER_BUCKET * Math.sqrt(runs.length);
  const late = LATE_SHARE * (reachedByGood[0] ?? 0);
  let bucket = -1;
  let held = 0;
  return reached.map((count, turn) => {
    const isNew = turn <= 1 || (held >= enough && (reachedByGood[turn] ?? 0) >= late);
    if (isNew) bucket = Math.min(bucket + 1, MAX_BUCKETS - 1);
    held = isNew ? count : held + count;
    return bucket;
  });
}
