import { Pauses } from "../pauses.ts";
import { type CountedRun, callOf } from "../runs/counted-run.ts";

const MIN_Z = 2;

/** Calls of one option that did, or did not, follow the choice, and how many of them a run went wrong at. */
const newCounts = () => ({
  after: 0,
  badAfter: 0,
  others: 0,
  badOthers: 0,
  calls: 0,
  callsAfter: 0,
  squares: 0,
  badSquares: 0,
});

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
        counts.calls += 1;
        counts.squares += weight * weight;
        if (isOnset) counts.badSquares += weight * weight;
        if (isChosen) {
          counts.callsAfter += 1;
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
  for (const counts of byCall.values()) {
    const { after, badAfter, others, badOthers } = counts;
    const all = after + others;
    if (after === 0 || others === 0 || all < 2) continue;
    const bad = badAfter + badOthers;
    excess += badAfter - (bad * after) / all;
    variance +=
      counts.squares === all
        ? (bad * (all - bad) * after * others) / (all * all * (all - 1))
        : weightedVariance(counts, bad / all);
  }
  return variance > 0 && excess > MIN_Z * Math.sqrt(variance);
}

/** If calls stand for others, that of drawing those after the option at random. */
function weightedVariance(
  { calls, callsAfter, squares, badSquares }: ReturnType<typeof newCounts>,
  rate: number,
): number {
  const residuals = badSquares * (1 - rate) ** 2 + (squares - badSquares) * rate ** 2;
  return (residuals * callsAfter * (calls - callsAfter)) / (calls * Math.max(1, calls - 1));
}
