import { Pauses } from "../pauses.ts";
import type { CountedRuns } from "./counted-run.ts";

const MIN_SHARE = 0.95;
const MAX_CALLS_PER_RUN = 2;

/** Options that nearly every good run takes, once or twice: they are part of the task, and nobody chose them. */
export function* fixedSteps({ runs, options }: CountedRuns): Generator<undefined, ReadonlySet<number>> {
  const pauses = new Pauses();
  const having = new Float64Array(options);
  const calls = new Float64Array(options);
  let good = 0;
  for (const { turns, isBad } of runs) {
    if (pauses.isDue(turns.length)) yield;
    if (isBad) continue;
    good += 1;
    const seen = new Set<number>();
    for (const turn of turns)
      for (const option of turn) {
        calls[option] = (calls[option] ?? 0) + 1;
        seen.add(option);
      }
    for (const option of seen) having[option] = (having[option] ?? 0) + 1;
  }
  const fixed = new Set<number>();
  for (const [option, count] of having.entries())
    if (good > 0 && count >= MIN_SHARE * good && (calls[option] ?? 0) <= MAX_CALLS_PER_RUN * count)
      fixed.add(option);
  return fixed;
}
