import { STALE_CACHE_OPTIONS, staleCacheRuns } from "@whytrace/testing/samples/stale-cache-runs.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { Blamer } from "./blamer.ts";
import { findPartner } from "./find-partner.ts";
import type { ObservedRun } from "./runs/observed-run.ts";
import { prepareRuns } from "./runs/prepare-runs.ts";

async function blameBadRuns(observed: readonly ObservedRun[]) {
  const counted = await runInTimeSlices(prepareRuns(observed, "failed"));
  const blamer = await runInTimeSlices(Blamer.learn(counted));
  const bad = counted.runs.filter(({ isBad }) => isBad);
  return Promise.all(bad.map((run) => runInTimeSlices(blamer.blame(run))));
}

it("says likely where the cache failed a refund, and that no decision explains the failure by chance", async () => {
  const [byChance, ...byCache] = await blameBadRuns(staleCacheRuns());
  expect(byChance?.suspects.every(({ word, share }) => word === "none" && share < 0.01)).toBe(true);
  expect(byChance?.chance).toBeGreaterThan(0.99);
  expect(byCache).toHaveLength(20);
  for (const { suspects } of byCache) {
    expect(suspects[0]).toMatchObject({
      kind: "chose",
      option: STALE_CACHE_OPTIONS.cache,
      word: "likely",
      turns: [1],
    });
    expect(suspects.slice(1).every(({ word }) => word === "none")).toBe(true);
  }
});

it("has no word for an option that draws have cleared", async () => {
  // Of the runs in which the cache was drawn, none failed.
  const runs = staleCacheRuns().map((run): ObservedRun => {
    const [option = 0] = run.turns[1] ?? [];
    return run.status === "ERROR" ? run : { ...run, draws: [{ place: 0, option, probability: 0.5 }] };
  });
  for (const { suspects } of await blameBadRuns(runs))
    expect(suspects.every(({ word }) => word === "none")).toBe(true);
});

it("divides a run between its suspects and chance", async () => {
  for (const { suspects, chance } of await blameBadRuns(staleCacheRuns()))
    expect(suspects.reduce((sum, { share }) => sum + share, chance)).toBeCloseTo(1, 9);
});

it("suspects neither a reaction to an error nor anything after the onset", async () => {
  const { get, cache, refund, order } = STALE_CACHE_OPTIONS;
  const runs = staleCacheRuns().map((run): ObservedRun => {
    if (run.status !== "ERROR") return run;
    return {
      ...run,
      turns: [[get], [cache], [refund], [order]],
      errors: [null, 2, 1, null],
      reactions: [false, false, true, true],
    };
  });
  // The error of cache leads to one of refund without a break, so cache is the onset.
  for (const { suspects } of await blameBadRuns(runs)) {
    expect(suspects.map(({ option }) => option).sort()).toEqual([get, cache]);
  }
});

const LONG = volume(100_000);

it(`takes time in proportion to the turns of a run: one of ${LONG} turns is learnt, blamed and compared`, async () => {
  const long = Array.from({ length: LONG }, (_, turn) => [turn % 7 === 0 ? 1 : turn % 5]);
  const runs = staleCacheRuns().map((run, index): ObservedRun => {
    if (index > 1) return run;
    return {
      ...run,
      turns: [...long, ...run.turns],
      errors: [...long.map(() => null), ...run.errors],
      reactions: [...long.map(() => false), ...run.reactions],
    };
  });
  const counted = await runInTimeSlices(prepareRuns(runs, "failed"));
  const blamer = await runInTimeSlices(Blamer.learn(counted));
  const [bad] = counted.runs;
  if (!bad) throw new Error("no run");
  expect(bad.lastAtRisk).toBe(LONG + 2);
  await runInTimeSlices(blamer.blame(bad));
  const partner = await runInTimeSlices(findPartner(counted, bad, LONG + 1, STALE_CACHE_OPTIONS.cache));
  expect(partner).toMatchObject({ turn: LONG + 1, equalTurns: LONG + 1, hasSameStart: true });
});
