import { drawAgent } from "@whytrace/lab/worlds/draw-agent.ts";
import { observedRuns } from "@whytrace/lab/worlds/observed-runs.ts";
import { WORLDS } from "@whytrace/lab/worlds/worlds.ts";
import { STALE_CACHE_OPTIONS, staleCacheRuns } from "@whytrace/testing/samples/stale-cache-runs.ts";
import { describe, expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { fitCauses } from "../fit/fit-causes.ts";
import type { Lens } from "../runs/lens.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { listFindings } from "./list-findings.ts";

async function list(observed: readonly ObservedRun[], lens: Lens = "failed") {
  const counted = await runInTimeSlices(prepareRuns(observed, lens));
  return runInTimeSlices(listFindings(counted, await runInTimeSlices(fitCauses(counted))));
}

const AGENTS = [0, 1, 2];
const RUNS = 300;
async function listAgent(name: string, number: number) {
  const world = WORLDS.find((one) => one.name === name);
  if (!world) throw new Error(`no world ${name}`);
  const drawn = drawAgent(world, number, RUNS, 1);
  const { findings } = await list(observedRuns(drawn), world.lens);
  const named = findings.filter(({ group }) => group === "worse");
  const claims = named.map(({ kind, option }) => `${kind} ${drawn.agent.tools[option]}`);
  return { claims, agent: drawn.agent };
}

it("names the stale cache, and neither what leads to it nor where it shows", async () => {
  const { findings } = await list(staleCacheRuns());
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ kind: "chose", option: STALE_CACHE_OPTIONS.cache, group: "worse" });
  expect(findings[0]?.excess).toBeCloseTo(11.6, 9);
  expect(findings[0]?.adjusted).toBeCloseTo(0.0001, 4);
  expect(findings[0]?.rate).toBeCloseTo(0.5, 9);
  expect(findings[0]?.otherRate).toBeCloseTo(1 / 60, 9);
});

it("finds the same if runs are in another order of clusters and options have other numbers", async () => {
  const renamed = staleCacheRuns().map((run) => ({
    ...run,
    cluster: 1_000 - run.cluster,
    turns: run.turns.map((turn) => turn.map((option) => 3 - option)),
  }));
  const [one] = (await list(staleCacheRuns())).findings;
  const [other] = (await list(renamed)).findings;
  expect(other?.option).toBe(3 - STALE_CACHE_OPTIONS.cache);
  expect(other?.p).toBeCloseTo(one?.p ?? 1, 12);
  expect(other?.explains).toBeCloseTo(one?.explains ?? 0, 9);
});

describe.each(["usual order", "usual order, final check", "chance", "fallback"])(
  "of the world %s",
  (name) => {
    it.each(AGENTS)("names nothing, as nothing is planted (agent %i)", async (number) => {
      expect((await listAgent(name, number)).claims).toEqual([]);
    });
  },
);

describe.each(["near culprit", "left out anywhere", "circling", "stale cache, bad score"])(
  "of the world %s",
  (name) => {
    it.each(AGENTS)("names the culprit (agent %i)", async (number) => {
      const { claims, agent } = await listAgent(name, number);
      expect(claims.some((claim) => agent.guilty.some((truth) => truth === claim))).toBe(true);
    });
  },
);

it("says nothing of no runs, and of runs that all went well", async () => {
  expect((await list([])).findings).toEqual([]);
  const good = staleCacheRuns().map((run) => ({ ...run, status: "COMPLETED" as const }));
  expect((await list(good)).findings).toEqual([]);
});

it("sets apart what is never chosen in the same state as others, if that is often, and says nothing about it", async () => {
  const { get, cache } = STALE_CACHE_OPTIONS;
  // Of the options 4 and 5 each is chosen in a situation of its own, at the first turn.
  const apart = staleCacheRuns().map((run, index) => ({
    ...run,
    situation: index % 2,
    turns: run.turns.map((turn) => (turn[0] === get ? [4 + (index % 2)] : turn)),
  }));
  const found = await list(apart);
  expect(found.apart.map(({ option }) => option).sort()).toEqual([4, 5]);
  expect(found.apart.every(({ exposed, lines }) => exposed === 0 && lines === 50)).toBe(true);
  expect(found.findings.map(({ option }) => option)).toEqual([cache]);
});
