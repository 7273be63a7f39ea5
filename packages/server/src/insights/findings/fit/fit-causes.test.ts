import { randomObservedRuns } from "@whytrace/testing/samples/random-observed-runs.ts";
import { STALE_CACHE_OPTIONS, staleCacheRuns } from "@whytrace/testing/samples/stale-cache-runs.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { Lens } from "../runs/lens.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { fitCauses } from "./fit-causes.ts";

const fit = async (observed: ObservedRun[], lens: Lens, kind?: number) =>
  runInTimeSlices(fitCauses(await runInTimeSlices(prepareRuns(observed, lens)), kind));
const total = (sums: Float64Array) => sums.reduce((sum, value) => sum + value, 0);

it("lets the stale cache explain nearly all failed refunds, and what comes before and after it nearly none", async () => {
  const { chose, involved, bad } = await fit(staleCacheRuns(), "failed");
  const { get, order, cache, refund } = STALE_CACHE_OPTIONS;
  expect(bad).toBe(21);
  expect(chose[cache]).toBeCloseTo(19.6, 1);
  expect(chose[refund]).toBeCloseTo(1.4, 1);
  expect(chose[get]).toBe(0);
  expect(chose[order]).toBe(0);
  // The failures show at refund: as a pair they are its own, too.
  expect(involved[refund]).toBeCloseTo(21, 1);
});

it.each(["failed", "error", "scored"] as const)(
  "explains each bad run once: choices, omissions and chance add up to all of them, by the lens %s",
  async (lens) => {
    for (const seed of [1, 2, 3]) {
      const observed = randomObservedRuns(300, seed);
      const { chose, leftOut, chance, bad, hits } = await fit(observed, lens);
      const counted = await runInTimeSlices(prepareRuns(observed, lens));
      const expected = counted.runs.filter(({ isBad }) => isBad);
      expect(hits.size).toBe(expected.length);
      expect(bad).toBeCloseTo(
        expected.reduce((sum, { weight }) => sum + weight, 0),
        9,
      );
      expect(total(chose) + total(leftOut) + chance).toBeCloseTo(bad, 9);
    }
  },
);

it("counts only bad runs of one kind if it is given", async () => {
  const counted = await runInTimeSlices(prepareRuns(randomObservedRuns(300, 1), "failed"));
  const { hits } = await fit(randomObservedRuns(300, 1), "failed", 1);
  expect(hits.size).toBe(counted.runs.filter(({ kind }) => kind === 1).length);
});

it("explains nothing without bad runs, and without runs", async () => {
  const good = randomObservedRuns(50, 1).map((run) => ({ ...run, status: "COMPLETED" as const }));
  for (const observed of [good, []]) {
    const { chose, leftOut, chance, bad } = await fit(observed, "failed");
    expect([total(chose), total(leftOut), chance, bad]).toEqual([0, 0, 0, 0]);
  }
});
