import { Pauses } from "../pauses.ts";
import { type CountedRun, callOf, NO_OPTION } from "../runs/counted-run.ts";
import type { CauseModel } from "./causes-of.ts";
import { ANY_TIME, exposedTurns, LAG_COUNT } from "./lags.ts";

/**
 * How many turns at risk (runs, if not located) each cause was there to make go wrong, with weights. A run costs its turns, and
 * the pairs of its options: turns are not visited again for each turn after them.
 */
export function* countExposures(
  runs: readonly CountedRun[],
  model: CauseModel,
): Generator<undefined, Float64Array> {
  const pauses = new Pauses();
  const exposures = new Float64Array(model.cells.size);
  for (const run of runs) {
    const add = (cell: number | undefined, turns: number) => {
      if (cell !== undefined) exposures[cell] = (exposures[cell] ?? 0) + run.weight * turns;
    };
    if (model.isLocated) yield* addTurns(run, model, add, pauses);
    else addRun(run, model, add);
    if (pauses.isDue()) yield;
  }
  return exposures;
}

type Add = (cell: number | undefined, turns: number) => void;

function addRun({ turns, reactions, lastAtRisk }: CountedRun, { cells, usual }: CauseModel, add: Add) {
  const atRisk = turns.slice(0, lastAtRisk + 1);
  const chosen = new Set(atRisk.flat());
  const suspected = new Set(atRisk.filter((_, turn) => !reactions[turn]).flat());
  for (const option of suspected) add(cells.lag(option, ANY_TIME), 1);
  for (const option of usual) if (!chosen.has(option)) add(cells.findOmission(option, NO_OPTION), 1);
}

function* addTurns(
  run: CountedRun,
  { cells, usual }: CauseModel,
  add: Add,
  pauses: Pauses,
): Generator<undefined, void> {
  const { turns, reactions, lastAtRisk } = run;
  const firstTurns = new Map<number, number>();
  for (let turn = 0; turn <= lastAtRisk; turn += 1) {
    if (pauses.isDue()) yield;
    if (reactions[turn]) continue;
    const exposed = exposedTurns(lastAtRisk - turn);
    for (const option of turns[turn] ?? []) {
      if (!firstTurns.has(option)) firstTurns.set(option, turn);
      for (let lag = 0; lag < LAG_COUNT; lag += 1) add(cells.lag(option, lag), exposed[lag] ?? 0);
    }
  }
  // Where a circle begins, the option that is called says nothing.
  const lastCall = run.isCircle ? lastAtRisk - 1 : lastAtRisk;
  const callsAfter = new Map<number, number>();
  for (let turn = lastCall; turn >= 0; turn -= 1) {
    for (const option of turns[turn] ?? [])
      if (firstTurns.get(option) === turn)
        for (const [call, count] of callsAfter) if (call !== option) add(cells.findPair(option, call), count);
    count(callsAfter, callOf(run, turn));
    if (pauses.isDue()) yield;
  }
  const left = new Set(usual);
  const callsBefore = new Map<number, number>();
  const addOmission = (option: number) => {
    for (const [call, count] of callsBefore) add(cells.findOmission(option, call), count);
  };
  for (let turn = 0; turn <= lastCall; turn += 1) {
    for (const option of turns[turn] ?? []) if (left.delete(option)) addOmission(option);
    count(callsBefore, callOf(run, turn));
    if (pauses.isDue()) yield;
  }
  for (const option of left) addOmission(option);
}

const count = (counts: Map<number, number>, key: number) => counts.set(key, (counts.get(key) ?? 0) + 1);
