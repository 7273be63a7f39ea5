import { KeyTable } from "../../days/key-table.ts";
import { Pauses } from "../pauses.ts";
import { type CountedRun, type CountedRuns, callOf } from "../runs/counted-run.ts";

/** A turn up to and with the onset, or of a good run. */
export interface TurnAtRisk {
  run: CountedRun;
  /** The options that it chose. */
  chosen: readonly number[];
  /** The same for turns in the same state, that is with equal option before, turn bucket, background, errors so far and calls at once. */
  state: number;
  /** As `state`, with the option that is called now in the place of the one before. */
  callState: number;
  /** Turns at risk that are left, this one included. */
  left: number;
  /** Options that were chosen `LATER` turns ago or earlier. */
  chosenBefore: readonly number[];
  /** Usual options that were not chosen up to now. */
  leftOut: readonly number[];
  /** Whether what was left out may be compared here. */
  showsOmissions: boolean;
}

export interface TurnsAtRisk {
  turns: readonly TurnAtRisk[];
  states: number;
  callStates: number;
}

/** From so many turns on, a choice lies so far back that it is tested as an earlier one. */
const LATER = 4;
const MAX_ERRORS = 3;
const ERROR_STATES = 2 * (MAX_ERRORS + 1);
const BREADTHS = 4;

/** The turns at risk of all runs; those of runs that belong together follow each other. */
export function* turnsAtRisk(
  counted: CountedRuns,
  usual: readonly number[],
): Generator<undefined, TurnsAtRisk> {
  const pauses = new Pauses();
  const states = new KeyTable(Number.POSITIVE_INFINITY);
  const callStates = new KeyTable(Number.POSITIVE_INFINITY);
  const collected: TurnAtRisk[] = [];
  for (const run of counted.runs.toSorted((one, other) => one.cluster - other.cluster)) {
    const { turns, lastAtRisk, background } = run;
    const before = new Set<number>();
    let chosenBefore: readonly number[] = [];
    let leftOut = usual;
    for (let turn = 0; turn <= lastAtRisk; turn += 1) {
      const chosen = turns[turn] ?? [];
      const size = before.size;
      for (const option of turns[turn - LATER] ?? []) before.add(option);
      if (before.size > size) chosenBefore = [...before];
      if (chosen.some((option) => leftOut.includes(option)))
        leftOut = leftOut.filter((option) => !chosen.includes(option));
      const bucket =
        ((counted.turnBuckets[turn] ?? 0) * ERROR_STATES + errorState(run, turn)) * BREADTHS +
        breadth(chosen.length);
      collected.push({
        run,
        chosen,
        state: states.add(callOf(run, turn - 1) + 1, background, bucket),
        callState: callStates.add(callOf(run, turn) + 1, background, bucket),
        left: lastAtRisk - turn + 1,
        chosenBefore,
        leftOut,
        showsOmissions: turn === lastAtRisk ? !run.isCircle : run.isLocated,
      });
      if (pauses.isDue()) yield;
    }
  }
  return { turns: collected, states: states.size, callStates: callStates.size };
}

/** Errors so far, and whether the last turn had one: a run that still tries late is probably in an outage. */
const errorState = ({ errorsBefore, reactions }: CountedRun, turn: number) =>
  2 * Math.min(MAX_ERRORS, errorsBefore[turn] ?? 0) + (reactions[turn] ? 1 : 0);

/** One call, two, up to four, and more. The more calls a turn makes, the more of them can fail, whichever they are. */
const breadth = (options: number) => Math.min(BREADTHS - 1, Math.ceil(Math.log2(Math.max(1, options))));
