import type { ClaimKind } from "./list/option-test.ts";
import { Pauses } from "./pauses.ts";
import type { CountedRun } from "./runs/counted-run.ts";

/** Bad runs of a kind are so many times as frequent with the option. */
const MIN_RATIO = 5;

/**
 * Whether runs hardly ever go wrong in a certain way unless they chose an option, or left it out. The fit may explain a run by the
 * option alone and still be wrong of many such runs, if others go wrong alike.
 */
export function* isRareWithout(
  runs: readonly CountedRun[],
  { kind: claim, option }: { kind: ClaimKind; option: number },
  badKind: number,
): Generator<undefined, boolean> {
  const pauses = new Pauses();
  const newCounts = () => ({ all: 0, bad: 0 });
  const [having, others] = [newCounts(), newCounts()];
  for (const { turns, reactions, lastAtRisk, isBad, kind, weight } of runs) {
    let isChosen = false;
    for (let turn = 0; turn <= lastAtRisk && !isChosen; turn += 1) {
      isChosen = !reactions[turn] && (turns[turn]?.includes(option) ?? false);
      if (pauses.isDue()) yield;
    }
    const counts = isChosen === (claim === "chose") ? having : others;
    counts.all += weight;
    if (isBad && kind === badKind) counts.bad += weight;
  }
  return others.all > 0 && MIN_RATIO * others.bad * having.all <= having.bad * others.all;
}
