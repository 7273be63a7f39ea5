import { Pauses } from "../pauses.ts";
import { type CountedRun, callOf } from "../runs/counted-run.ts";

const MIN_Z = 2;

/** Calls of one option that did, or did not, follow the choice, and how many of them a run went wrong at. */
const newCounts = () => ({ after: 0, badAfter: 0, others: 0, badOthers: 0 });

/**
 * Whether the calls that go wrong after an option was chosen go wrong more often than the same calls without it. An option that
 * only leads to a call that fails by itself does no harm. True if runs go wrong at the option itself.
 */
export function* isWorseAtSameCall(
  runs: readonly CountedRun[],
  option: number,
): Generator<undefined, boolean> {
  const pauses = new Pauses();
  const byCall = new Map<number, ReturnType<typeof newCounts>>();
  let [badAtIt, badAfterIt] = [0, 0];
  for (const run of runs) {
    const { turns, reactions, lastAtRisk, isBad, isLocated, isCircle, weight } = run;
    if (isBad && (!isLocated || isCircle)) return true;
    let isChosen = false;
    for (let turn = 0; turn <= lastAtRisk; turn += 1) {
      const call = callOf(run, turn);
      const isOnset = isBad && turn === lastAtRisk;
      if (turns[turn]?.includes(option)) {
        if (isOnset) badAtIt += weight;
      } else {
        const counts = byCall.get(call) ?? newCounts();
        byCall.set(call, counts);
        if (isChosen) {
          counts.after += weight;
          if (isOnset) counts.badAfter += weight;
        } else {
          counts.others += weight;
          if (isOnset) counts.badOthers += weight;
        }
        if (isOnset && isChosen) badAfterIt += weight;
      }
      if (!reactions[turn] && turns[turn]?.includes(option)) isChosen = true;
      if (pauses.isDue()) yield;
    }
  }
  if (badAtIt > badAfterIt) return true;
  let [excess, variance] = [0, 0];
  for (const { after, badAfter, others, badOthers } of byCall.values()) {
    const all = after + others;
    if (after === 0 || others === 0 || all < 2) continue;
    const bad = badAfter + badOthers;
    excess += badAfter - (bad * after) / all;
    variance += (bad * (all - bad) * after * others) / (all * all * (all - 1));
  }
  return variance > 0 && excess > MIN_Z * Math.sqrt(variance);
}
