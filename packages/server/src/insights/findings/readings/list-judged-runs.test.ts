import { drawAgent } from "@whytrace/lab/worlds/draw-agent.ts";
import { observedRuns } from "@whytrace/lab/worlds/observed-runs.ts";
import { WORLDS } from "@whytrace/lab/worlds/worlds.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { OUTCOME_FLAGS, SOURCE_FLAGS } from "../../../outcomes/judge-run.ts";
import { listRuns } from "../list/list-runs.ts";
import type { ObservedRuns, RecordedRun } from "../runs/observe-runs.ts";
import { listJudgedRuns } from "./list-judged-runs.ts";

const AGENTS = 20;
const RUNS = volume(250, 100);

/** Runs of an agent with planted faults, and what is stored of them. */
function recorded(number: number, flagsOf: (index: number) => number) {
  const world = WORLDS[number % WORLDS.length];
  if (!world) throw new Error("no world");
  const runs = observedRuns(drawAgent(world, number, RUNS, 1));
  const stored = runs.map((run, index): RecordedRun => {
    const outcomeFlags = flagsOf(index);
    return {
      id: `t${index}`,
      status: run.status,
      facts: new Uint8Array(),
      startedAtMs: 0,
      situation: "",
      outcomeFlags,
      isScoredBad: run.isScoredBad,
    };
  });
  const observed: ObservedRuns = { runs, traceIds: stored.map(({ id }) => id), options: [] };
  return { observed, stored };
}

const votes = (index: number) =>
  index % 3 === 0
    ? OUTCOME_FLAGS.answered | OUTCOME_FLAGS.asked | SOURCE_FLAGS.user.answered | SOURCE_FLAGS.user.bad
    : 0;

describe.each(["failed", "error"] as const)("of the lens %s", (lens) => {
  it(`findings of ${(AGENTS * RUNS).toLocaleString("en")} runs do not depend on votes, bit for bit`, async () => {
    for (let number = 0; number < AGENTS; number += 1) {
      const { observed, stored } = recorded(number, votes);
      const plain = await runInTimeSlices(listRuns(observed.runs, lens));
      const listed = await runInTimeSlices(listJudgedRuns(observed, stored, lens));
      const withoutBasis = listed.findings.map(({ basis: _, readings: __, ...finding }) => finding);
      expect(withoutBasis).toEqual(plain.findings);
      expect(listed.tests).toEqual(plain.tests);
      expect(listed.fit.sums).toEqual(plain.fit.sums);
      expect(listed).toMatchObject({ coverage: null, refused: [], leftOut: { unknown: 0, notAsked: 0 } });
    }
  }, 120_000);
});

it("counts runs with a bad score as they are while nearly every run is judged", async () => {
  const all = OUTCOME_FLAGS.answered | SOURCE_FLAGS.judge.answered;
  const { observed, stored } = recorded(0, () => all);
  const plain = await runInTimeSlices(listRuns(observed.runs, "scored"));
  const listed = await runInTimeSlices(listJudgedRuns(observed, stored, "scored"));
  expect(listed.tests).toEqual(plain.tests);
  expect(listed.coverage).toBeNull();
  const unknown = stored.map((run, index) => ({ ...run, outcome: index < 50 ? 2 : 0 }));
  const left = await runInTimeSlices(listJudgedRuns(observed, unknown, "scored"));
  expect(left.leftOut).toEqual({ unknown: 50, notAsked: 0 });
  expect(left.counted.runs).toHaveLength(RUNS - 50);
});
