import { observedRun } from "@whytrace/testing/samples/observed-run.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { limitOptions, MAX_OPTIONS } from "./limit-options.ts";

const run = (...turns: number[][]) => observedRun(turns);

it("keeps the options that the most runs chose, in their order, however often one run chose others", async () => {
  const usual = Array.from({ length: MAX_OPTIONS - 1 }, (_, index) => [1_000 - index]);
  const repeated = Array.from({ length: 500 }, () => [1]);
  const runs = [run(...usual), run(...usual, [2, 3]), run(...repeated, [2])];
  const numbers = await runInTimeSlices(limitOptions(runs, 1_001));
  const kept = [...numbers.entries()].filter(([, number]) => number !== undefined);
  expect(kept.map(([option]) => option)).toEqual([2, ...usual.flat().reverse()]);
  expect(kept.map(([, number]) => number)).toEqual([...Array(MAX_OPTIONS).keys()]);
});
