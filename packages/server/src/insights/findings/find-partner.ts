import { Pauses } from "./pauses.ts";
import type { CountedRun, CountedRuns } from "./runs/counted-run.ts";
import { isSameTurn } from "./runs/is-same-turn.ts";

export interface Partner {
  run: CountedRun;
  /** The turn that stands beside the suspected one. */
  turn: number;
  /** How many turns just before are equal. */
  equalTurns: number;
  /** Whether both runs are equal from their start. */
  hasSameStart: boolean;
}

/**
 * The run to compare a bad run with: one that went well in the same situation, was in the same state at the suspected turn, and
 * chose otherwise there. The most equal turns just before win, then an equal start, then the newest run.
 */
export function* findPartner(
  { runs, turnBuckets }: CountedRuns,
  bad: CountedRun,
  suspectTurn: number,
  option: number,
): Generator<undefined, Partner | undefined> {
  const pauses = new Pauses();
  let best: Partner | undefined;
  for (const run of runs.toReversed()) {
    if (run.isBad || run.situation !== bad.situation) continue;
    const equal = equalTurnsBefore(run, bad, suspectTurn);
    for (const [turn, chosen] of run.turns.entries()) {
      const isSameBucket = turnBuckets[turn] === turnBuckets[suspectTurn];
      if (!isSameBucket || (turn === 0) !== (suspectTurn === 0) || chosen.includes(option)) continue;
      const equalTurns = equal(turn);
      if (suspectTurn > 0 && equalTurns === 0) continue;
      const hasSameStart = equalTurns === suspectTurn && equalTurns === turn;
      const isBetter =
        !best ||
        equalTurns > best.equalTurns ||
        (equalTurns === best.equalTurns && hasSameStart && !best.hasSameStart);
      if (isBetter) best = { run, turn, equalTurns, hasSameStart };
    }
    if (pauses.isDue(2 * run.turns.length)) yield;
  }
  return best;
}

/**
 * For each turn of `run`: how many turns just before it equal those just before the suspected one. Both are read backwards; the
 * Z-function then takes time in proportion to the turns.
 */
function equalTurnsBefore(run: CountedRun, bad: CountedRun, suspectTurn: number): (turn: number) => number {
  const before = bad.turns.slice(Math.max(0, suspectTurn - run.turns.length), suspectTurn).reverse();
  // The turn that equals no other one keeps the two apart.
  const all = [...before, undefined, ...run.turns.toReversed()];
  const equal = new Int32Array(all.length);
  let start = 0;
  let end = 0;
  for (let at = 1; at < all.length; at += 1) {
    let length = at < end ? Math.min(end - at, equal[at - start] ?? 0) : 0;
    while (at + length < all.length && isSameTurn(all[length], all[at + length])) length += 1;
    equal[at] = length;
    if (at + length <= end) continue;
    start = at;
    end = at + length;
  }
  return (turn) => equal[all.length - turn] ?? 0;
}
