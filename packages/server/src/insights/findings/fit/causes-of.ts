import type { Pauses } from "../pauses.ts";
import { type CountedRun, callOf, NO_OPTION } from "../runs/counted-run.ts";
import type { CauseCells } from "./cause-cells.ts";
import { ANY_TIME, lagsOf } from "./lags.ts";

/** A choice, or an omission, that may have made a run go wrong. */
interface Cause {
  cell: number;
  option: number;
  /** Undefined for what was left out. */
  turn: number | undefined;
}

/** What is fitted: by turns at risk, or by whole runs if it is not known when they went wrong. */
export interface CauseModel {
  cells: CauseCells;
  usual: readonly number[];
  isLocated: boolean;
}

/** All that may explain that a run went wrong at its last turn at risk. A reaction to an error explains nothing. */
export function* causesOf(
  run: CountedRun,
  { cells, usual, isLocated }: CauseModel,
  pauses: Pauses,
): Generator<undefined, Cause[]> {
  const { turns, reactions, lastAtRisk } = run;
  const causes: Cause[] = [];
  const chosen = new Set<number>();
  const firstTurns = new Map<number, number>();
  const add = (cell: number | undefined, option: number, turn: number | undefined) => {
    if (cell !== undefined) causes.push({ cell, option, turn });
  };
  for (let turn = 0; turn <= lastAtRisk; turn += 1) {
    if (pauses.isDue()) yield;
    for (const option of turns[turn] ?? []) {
      chosen.add(option);
      if (reactions[turn]) continue;
      if (!firstTurns.has(option)) firstTurns.set(option, turn);
      if (!isLocated) continue;
      for (const lag of lagsOf(lastAtRisk - turn))
        causes.push({ cell: cells.lag(option, lag), option, turn });
    }
  }
  const call = isLocated ? callOf(run, lastAtRisk) : NO_OPTION;
  // Where a circle begins, the option that is called is part of the circle, and says nothing. Nor does one that is not counted.
  if (run.isCircle || (isLocated && turns[lastAtRisk]?.length === 0)) return causes;
  for (const [option, turn] of firstTurns) {
    // Without a place in time, a choice counts once for the run, where it was made first.
    if (!isLocated) causes.push({ cell: cells.lag(option, ANY_TIME), option, turn });
    else if (turn < lastAtRisk && option !== call) add(cells.addPair(option, call), option, turn);
  }
  for (const option of usual)
    if (!chosen.has(option)) add(cells.addOmission(option, call), option, undefined);
  return causes;
}
