import { observedRun } from "@whytrace/testing/samples/observed-run.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { fixedSteps } from "./fixed-steps.ts";
import type { ObservedRun } from "./observed-run.ts";
import { prepareRuns } from "./prepare-runs.ts";

const run = (options: number[], isBad = false) =>
  observedRun(
    options.map((option) => [option]),
    { status: isBad ? "ERROR" : "COMPLETED" },
  );
const fixedIn = async (runs: ObservedRun[]) => [
  ...(await runInTimeSlices(fixedSteps(await runInTimeSlices(prepareRuns(runs, "failed"))))),
];

it("are called once or twice in every good run, wherever", async () => {
  expect(await fixedIn([run([0, 1, 2]), run([1, 0]), run([0, 1, 3]), run([2], true)])).toEqual([0, 1]);
});

it("are not called again and again", async () => {
  expect(await fixedIn([run([0, 1, 1]), run([0, 1]), run([1, 0])])).toEqual([0, 1]);
  expect(await fixedIn([run([0, 1, 1, 1]), run([0, 1, 1]), run([1, 0, 1])])).toEqual([0]);
});

it("need good runs", async () => {
  expect(await fixedIn([run([0], true)])).toEqual([]);
});
