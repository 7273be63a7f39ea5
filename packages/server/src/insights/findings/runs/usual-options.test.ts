import { observedRun } from "@whytrace/testing/samples/observed-run.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { ObservedRun } from "./observed-run.ts";
import { prepareRuns } from "./prepare-runs.ts";
import { usualOptions } from "./usual-options.ts";

const run = (options: number[], isBad = false) =>
  observedRun(
    options.map((option) => [option]),
    { status: isBad ? "ERROR" : "COMPLETED" },
  );
const usual = async (runs: ObservedRun[]) =>
  runInTimeSlices(usualOptions(await runInTimeSlices(prepareRuns(runs, "failed"))));

it("are chosen in half of the good runs or more, and not in all", async () => {
  expect(await usual([run([0, 1]), run([0, 1]), run([0, 2]), run([0, 3]), run([0, 2], true)])).toEqual([1]);
});

it("have no other option that stands in for them", async () => {
  // Runs without 1 choose 2 and hardly any others do.
  expect(await usual([run([0, 1]), run([0, 1]), run([0, 2]), run([0, 2], true)])).toEqual([]);
});
