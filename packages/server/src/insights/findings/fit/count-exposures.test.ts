import { randomObservedRuns } from "@whytrace/testing/samples/random-observed-runs.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { Pauses } from "../pauses.ts";
import type { CountedRuns } from "../runs/counted-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { CauseCells } from "./cause-cells.ts";
import { causesOf } from "./causes-of.ts";
import { countExposures } from "./count-exposures.ts";

const OPTIONS = 6;
const USUAL = [0, 3, 5];

/** Cells of all pairs and omissions, whether or not a bad run has them. */
function allCells(): CauseCells {
  const cells = new CauseCells(OPTIONS);
  for (let option = 0; option < OPTIONS; option += 1)
    for (let call = -1; call < OPTIONS; call += 1) {
      cells.addPair(option, call);
      cells.addOmission(option, call);
    }
  return cells;
}

/** Each turn at risk is exposed to what would be its causes if the run had gone wrong there. */
async function byDefinition({ runs }: CountedRuns, cells: CauseCells, isLocated: boolean) {
  const exposures = new Float64Array(cells.size);
  for (const run of runs)
    for (let now = isLocated ? 0 : run.lastAtRisk; now <= run.lastAtRisk; now += 1) {
      const isCircle = run.isCircle && now === run.lastAtRisk;
      const model = { cells, usual: USUAL, isLocated };
      const causes = await runInTimeSlices(
        causesOf({ ...run, lastAtRisk: now, isCircle }, model, new Pauses()),
      );
      for (const { cell } of causes) exposures[cell] = (exposures[cell] ?? 0) + run.weight;
    }
  return exposures;
}

it.each(["failed", "error", "scored"] as const)(
  "counts, in one pass over a run, every turn at risk of every cause, by the lens %s",
  async (lens) => {
    const counted = await runInTimeSlices(prepareRuns(randomObservedRuns(2_000, 4), lens));
    const cells = allCells();
    const isLocated = lens !== "scored";
    const exposures = await runInTimeSlices(countExposures(counted.runs, { cells, usual: USUAL, isLocated }));
    const expected = await byDefinition(counted, cells, isLocated);
    expect(exposures.length).toBe(expected.length);
    expect(expected.filter((sum) => sum > 0).length).toBeGreaterThan(isLocated ? 100 : 8);
    for (const [cell, sum] of expected.entries()) expect(exposures[cell]).toBeCloseTo(sum, 9);
  },
);
