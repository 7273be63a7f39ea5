import { observedRun } from "@whytrace/testing/samples/observed-run.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { isWorseAtSameCall } from "./is-worse-at-same-call.ts";

const [START, CHOICE, OTHER, CALL] = [0, 1, 2, 3];

/** Runs of which the first so many fail at their last turn. */
const runsOf = (count: number, failed: number, turns: number[]): ObservedRun[] =>
  Array.from({ length: count }, (_, index) =>
    observedRun(
      turns.map((option) => [option]),
      {
        cluster: index,
        status: index < failed ? "ERROR" : "COMPLETED",
        errors: turns.map((_, turn) => (index < failed && turn === turns.length - 1 ? 1 : null)),
      },
    ),
  );

async function isWorse(...runs: ObservedRun[][]): Promise<boolean> {
  const counted = await runInTimeSlices(prepareRuns(runs.flat(), "failed"));
  return runInTimeSlices(isWorseAtSameCall(counted.runs, CHOICE));
}

it("clears a choice after which a call fails as often as without it", async () => {
  const without = runsOf(100, 2, [START, OTHER]);
  expect(await isWorse(runsOf(80, 16, [START, CHOICE, CALL]), runsOf(20, 4, [START, CALL]), without)).toBe(
    false,
  );
});

it("clears a choice if the call is never made without it", async () => {
  expect(await isWorse(runsOf(80, 16, [START, CHOICE, CALL]), runsOf(100, 2, [START, OTHER]))).toBe(false);
});

it("does not clear a choice after which the same call fails more often", async () => {
  expect(await isWorse(runsOf(40, 16, [START, CHOICE, CALL]), runsOf(60, 2, [START, OTHER, CALL]))).toBe(
    true,
  );
});

it("does not clear a choice that fails itself", async () => {
  expect(await isWorse(runsOf(40, 16, [START, CHOICE]), runsOf(60, 2, [START, OTHER]))).toBe(true);
});
