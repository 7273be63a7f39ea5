import { randomObservedRuns } from "@whytrace/testing/samples/random-observed-runs.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { Pauses } from "../pauses.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { CauseCells } from "./cause-cells.ts";
import { causesOf } from "./causes-of.ts";

const OPTIONS = 6;
const USUAL = [0, 3, 5];
/** By name: the first and the last turn ago. */
const LAGS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 5],
  [6, 8],
  [9, 12],
  [13, 1e9],
  [0, 3],
  [4, 12],
  [0, 1e9],
];

it("are all choices before an onset by turns ago, calls after them, and what was left out; no reaction, no circle", async () => {
  const { runs } = await runInTimeSlices(prepareRuns(randomObservedRuns(2_000, 6), "failed"));
  const cells = new CauseCells(OPTIONS);
  const nameOf = (cell: number) => {
    const call = cells.callOf(cell);
    const after = call === undefined ? `lag ${cell % LAGS.length}` : `call ${call}`;
    return `${cells.kindOf(cell)} ${cells.optionOf(cell)} ${after}`;
  };
  for (const run of runs.filter(({ isBad }) => isBad)) {
    const { turns, reactions, lastAtRisk: onset } = run;
    const call = turns[onset]?.[0] ?? -1;
    const expected: string[] = [];
    for (let option = 0; option < OPTIONS; option += 1) {
      const atTurns = [...turns.keys()].filter((turn) => turn <= onset && turns[turn]?.includes(option));
      const suspected = atTurns.filter((turn) => !reactions[turn]);
      for (const turn of suspected)
        for (const [lag, [first, last]] of LAGS.entries())
          if (onset - turn >= first && onset - turn <= last)
            expected.push(`chose ${option} lag ${lag} at ${turn}`);
      if (run.isCircle) continue;
      const [earliest] = suspected.filter((turn) => turn < onset);
      if (earliest !== undefined && option !== call)
        expected.push(`chose ${option} call ${call} at ${earliest}`);
      if (USUAL.includes(option) && atTurns.length === 0)
        expected.push(`left out ${option} call ${call} at undefined`);
    }
    const model = { cells, usual: USUAL, isLocated: true };
    const causes = await runInTimeSlices(causesOf(run, model, new Pauses()));
    expect(causes.map(({ cell, turn }) => `${nameOf(cell)} at ${turn}`).sort()).toEqual(expected.sort());
  }
});
