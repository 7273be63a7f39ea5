import { observedRun } from "@whytrace/testing/samples/observed-run.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { isWorseWithout } from "./is-worse-without.ts";

const [WRITE, CHECK, EXECUTE] = [0, 1, 2];

const times = (count: number, turns: number[], isBad = false): ObservedRun[] =>
  Array.from({ length: count }, (_, cluster) =>
    observedRun(
      turns.map((option) => [option]),
      {
        errors: turns.map((_, turn) => (isBad && turn === turns.length - 1 ? 1 : null)),
        status: isBad ? "ERROR" : "COMPLETED",
        cluster,
      },
    ),
  );
const isWorse = async (runs: ObservedRun[], option: number) =>
  runInTimeSlices(isWorseWithout((await runInTimeSlices(prepareRuns(runs, "failed"))).runs, option));

it("holds if runs without the option fail more often", async () => {
  const runs = [
    ...times(95, [WRITE, CHECK, EXECUTE]),
    ...times(5, [WRITE, CHECK, EXECUTE], true),
    ...times(60, [WRITE, EXECUTE]),
    ...times(40, [WRITE, EXECUTE], true),
  ];
  expect(await isWorse(runs, CHECK)).toBe(true);
});

it("does not hold if the option only finds the fault earlier", async () => {
  const runs = [
    ...times(80, [WRITE, CHECK, EXECUTE]),
    ...times(20, [WRITE, CHECK], true),
    ...times(80, [WRITE, EXECUTE]),
    ...times(20, [WRITE, EXECUTE], true),
  ];
  expect(await isWorse(runs, CHECK)).toBe(false);
});

it("does not count runs that failed before the option is usually chosen", async () => {
  const runs = [...times(100, [WRITE, WRITE, CHECK, EXECUTE]), ...times(50, [WRITE], true)];
  expect(await isWorse(runs, CHECK)).toBe(false);
});
