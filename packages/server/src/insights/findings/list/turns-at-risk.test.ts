import { randomObservedRuns } from "@whytrace/testing/samples/random-observed-runs.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { turnsAtRisk } from "./turns-at-risk.ts";

const USUAL = [0, 3, 5];

it.each(["failed", "error", "scored"] as const)(
  "are all turns up to the onset, by the lens %s, with what the definitions say of each",
  async (lens) => {
    const counted = await runInTimeSlices(prepareRuns(randomObservedRuns(2_000, 3), lens));
    const { turns, states, callStates } = await runInTimeSlices(turnsAtRisk(counted, USUAL));
    const stateNames = new Set<string>();
    const callNames = new Set<string>();
    const clusters = new Set<number>();
    let cluster = -1;
    let at = 0;
    for (const run of counted.runs.toSorted((one, other) => one.cluster - other.cluster)) {
      if (run.cluster !== cluster) expect(clusters.has(run.cluster)).toBe(false);
      cluster = run.cluster;
      clusters.add(cluster);
      const own = turns.slice(at, at + run.lastAtRisk + 1);
      at += own.length;
      expect(
        own.map((one) => ({ ...one, state: 0, callState: 0, chosenBefore: new Set(one.chosenBefore) })),
      ).toEqual(
        own.map((_, turn) => ({
          run,
          chosen: run.turns[turn],
          state: 0,
          callState: 0,
          left: run.lastAtRisk - turn + 1,
          chosenBefore: new Set(run.turns.slice(0, Math.max(0, turn - 3)).flat()),
          leftOut: USUAL.filter(
            (option) =>
              !run.turns
                .slice(0, turn + 1)
                .flat()
                .includes(option),
          ),
          showsOmissions: turn === run.lastAtRisk ? !run.isCircle : run.isLocated,
        })),
      );
      for (const [turn, { state, callState }] of own.entries()) {
        const errors = `${Math.min(3, run.errorsBefore[turn] ?? 0)} ${run.reactions[turn]}`;
        const calls = [2, 3, 5].filter((from) => from <= (run.turns[turn]?.length ?? 0)).length;
        const place = `${counted.turnBuckets[turn]} ${run.background} ${errors} ${calls}`;
        stateNames.add(`${state} = ${run.turns[turn - 1]?.[0]} ${place}`);
        callNames.add(`${callState} = ${run.turns[turn]?.[0]} ${place}`);
      }
    }
    expect(at).toBe(turns.length);
    for (const [names, count] of [
      [stateNames, states],
      [callNames, callStates],
    ] as const) {
      // One number for each name, and one name for each number.
      expect(names.size).toBe(count);
      expect(new Set([...names].map((name) => name.split(" = ")[1])).size).toBe(count);
    }
  },
);
