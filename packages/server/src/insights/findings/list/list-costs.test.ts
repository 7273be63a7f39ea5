import { Random } from "@whytrace/demo";
import { withCosts } from "@whytrace/lab/worlds/with-costs.ts";
import { observedRun } from "@whytrace/testing/samples/observed-run.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { listCosts } from "./list-costs.ts";

const SKEWED = { spread: 1.2, sessionSpread: 0.5, growth: 0.15 };

/** Loops of one to eight turns over four options, two runs a session. */
function draw(seed: number): ObservedRun[] {
  const random = new Random(seed);
  const turn = () => [random.between(0, 3)];
  return Array.from({ length: 200 }, (_, index) =>
    observedRun(Array.from({ length: random.between(1, 8) }, turn), { cluster: Math.floor(index / 2) }),
  );
}
const list = async (runs: ObservedRun[]) =>
  runInTimeSlices(listCosts(await runInTimeSlices(prepareRuns(runs, "failed"))));

it("names the option after which turns cost three times as much, with both means", async () => {
  const { dearer } = await list(withCosts(draw(1), { ...SKEWED, dear: { option: 2, times: 3 } }, 1));
  expect(dearer.map(({ option }) => option)).toEqual([2]);
  const [{ rate = 0, otherRate = 0, excess = 0, exposed = 0 } = {}] = dearer;
  expect(rate / otherRate).toBeGreaterThan(2);
  expect(rate / otherRate).toBeLessThan(4.5);
  // In each state the excess is what exposed turns cost above the mean of all, which has their own costs, too.
  expect(excess).toBeGreaterThan(0.5 * exposed * (rate - otherRate));
  expect(excess).toBeLessThan(exposed * (rate - otherRate));
});

it("names nothing where costs depend on the session and the turn only", async () => {
  const lists = await Promise.all(Array.from({ length: 40 }, (_, n) => list(withCosts(draw(n), SKEWED, n))));
  expect(lists.filter(({ dearer }) => dearer.length > 0).length).toBeLessThanOrEqual(2);
  expect(lists.filter(({ smallest }) => smallest < 0.05).length).toBeLessThanOrEqual(5);
});

it("says nothing if no cost is known, and takes no part of what several calls cost together", async () => {
  expect(await list(draw(1))).toEqual({ dearer: [], smallest: 1 });
  const together = draw(1).map((run) => ({ ...run, turns: run.turns.map((turn) => [...turn, 4]) }));
  const costs = { ...SKEWED, dear: { option: 2, times: 50 } };
  expect(await list(withCosts(together, costs, 1))).toEqual({ dearer: [], smallest: 1 });
});
