import { finishSteps } from "@whytrace/contract";
import { randomObservedRuns } from "@whytrace/testing/samples/random-observed-runs.ts";
import { describe, expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { findEnding } from "./find-ending.ts";
import type { Lens } from "./lens.ts";
import type { ObservedRun } from "./observed-run.ts";
import { prepareRuns } from "./prepare-runs.ts";
import { runCircumstances } from "./run-circumstances.ts";

const RUNS = 2_000;

/** As the definition says it: is the run from `start` on a circle of `length` turns, three times or more? */
function isCircle(sets: string[], start: number, length: number): boolean {
  const turns = sets.slice(start);
  return turns.length >= 3 * length && turns.every((turn, i) => i < length || turn === turns[i - length]);
}

function circleOf(run: ObservedRun): number | undefined {
  const sets = run.turns.map((turn) => [...new Set(turn)].sort().join());
  return [...sets.keys()].find((start) => [1, 2, 3, 4].some((length) => isCircle(sets, start, length)));
}

/** The onset and what it is called, as the definition says it; undefined for a good run. */
function endingOf(
  run: ObservedRun,
  lens: Lens,
): { onset: number; kind: string; isCircle: boolean } | undefined {
  const { turns, errors, status, messageKind } = run;
  const withError = [...turns.keys()].filter((turn) => errors[turn] !== null);
  const last = turns.length - 1;
  if (lens === "scored")
    return run.isScoredBad ? { onset: last, kind: "bad score", isCircle: false } : undefined;
  if (lens === "error") {
    const [first] = withError;
    return first === undefined ? undefined : { onset: first, kind: `${errors[first]}`, isCircle: false };
  }
  if (status === "COMPLETED") return undefined;
  const lastError = withError.at(-1) ?? -9;
  if (status === "ERROR" && lastError >= last - 1) {
    const series = [...turns.keys()].filter((turn) =>
      errors.slice(turn, lastError + 1).every((error) => error !== null),
    );
    const onset = Math.min(...series.filter((turn) => turn <= lastError));
    return { onset, kind: `${errors[onset]}`, isCircle: false };
  }
  const circle = circleOf(run);
  const kind = status === "RUNNING" ? "never ended" : `${messageKind ?? "failed"}`;
  return { onset: circle ?? last, kind, isCircle: circle !== undefined };
}

describe.each(["failed", "error", "scored"] as const)("by the lens %s", (lens) => {
  it("counts turns, reactions, errors so far, onsets, circles and kinds as the definitions say it", async () => {
    const observed = randomObservedRuns(RUNS, 1);
    const { runs, options } = await runInTimeSlices(prepareRuns(observed, lens));
    expect(options).toBe(6);
    const kinds = new Map<string, number>();
    for (const [index, run] of observed.entries()) {
      const counted = runs[index];
      const ending = endingOf(run, lens);
      expect(counted).toMatchObject({
        turns: run.turns.map((turn) => [...new Set(turn)]),
        reactions: run.reactions,
        errorsBefore: run.turns.map(
          (_, turn) => run.errors.slice(0, turn).filter((error) => error !== null).length,
        ),
        isBad: ending !== undefined,
        lastAtRisk: ending?.onset ?? run.turns.length - 1,
        isLocated: lens !== "scored" || ending === undefined,
        isCircle: ending?.isCircle ?? false,
        cluster: run.cluster,
        weight: run.weight,
      });
      if (!ending || !counted) continue;
      expect(counted.kind).toBe(kinds.get(ending.kind) ?? counted.kind);
      kinds.set(ending.kind, counted.kind);
    }
    expect(new Set(kinds.values()).size).toBe(kinds.size);
  });
});

it("counts a bad score of one turn as an error there", async () => {
  const observed = randomObservedRuns(RUNS, 3);
  const scored = observed.map((run) => {
    const turn = run.errors.findIndex((error) => error !== null);
    return turn < 0 ? { ...run, isScoredBad: false } : { ...run, isScoredBad: true, scoredTurn: turn };
  });
  const count = async (runs: readonly ObservedRun[], lens: Lens) =>
    (await runInTimeSlices(prepareRuns(runs, lens))).runs.map(({ kind: _, ...run }) => run);
  const byScores = await count(scored, "scored");
  expect(byScores.filter(({ isBad, isLocated }) => isBad && isLocated).length).toBeGreaterThan(RUNS / 2);
  expect(byScores).toEqual(await count(observed, "error"));
});

it("gives runs the same background if situation, release, slice of 75 runs, circumstances and the end of the session's last run are the same", async () => {
  // From the 200th run on, hardly any is bad.
  const observed = randomObservedRuns(400, 2).map((run, index): ObservedRun => {
    return index % 20 === 0 || index < 200 ? run : { ...run, status: "COMPLETED" };
  });
  const { runs } = await runInTimeSlices(prepareRuns(observed, "failed"));
  const isBad = observed.map((run) => findEnding(run, "failed") !== undefined);
  const circumstances = finishSteps(runCircumstances(observed, isBad));
  expect(new Set(circumstances).size).toBeGreaterThan(1);
  const names = new Map<number, string>();
  for (const [index, { situation, release, cluster }] of observed.entries()) {
    const slice = Math.floor(index / (400 / 5));
    const lastOfSession = runs.slice(0, index).findLast((run) => run.cluster === cluster);
    const lastIsBad = lastOfSession?.isBad ?? false;
    const name = `${situation} ${release} ${slice} ${lastIsBad} ${circumstances[index]}`;
    const background = runs[index]?.background ?? -1;
    expect(names.get(background) ?? name).toBe(name);
    names.set(background, name);
  }
  expect(new Set(names.values()).size).toBe(names.size);
});
