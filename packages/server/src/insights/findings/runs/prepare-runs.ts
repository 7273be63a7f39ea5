import { Pauses } from "../pauses.ts";
import type { CountedRun, CountedRuns } from "./counted-run.ts";
import { dropSuccessfulEnds } from "./drop-successful-ends.ts";
import { type Ending, findEnding } from "./find-ending.ts";
import type { Lens } from "./lens.ts";
import { Numbering } from "./numbering.ts";
import type { ObservedRun } from "./observed-run.ts";
import { runCircumstances } from "./run-circumstances.ts";
import { turnBuckets } from "./turn-buckets.ts";

/** A slice of the time range has at least so many runs. */
const RUNS_PER_SLICE = 75;

/** Counts runs, which are in the order of time. */
export function* prepareRuns(
  observed: readonly ObservedRun[],
  lens: Lens,
): Generator<undefined, CountedRuns> {
  const backgrounds = new Numbering<string>();
  const kinds = new Numbering<Ending["kind"]>();
  const slices = Math.max(1, Math.floor(observed.length / RUNS_PER_SLICE));
  const pauses = new Pauses();
  const ended = [];
  for (const run of observed) {
    const turns = run.turns.map((turn) => (turn.length > 1 ? [...new Set(turn)] : turn));
    ended.push({ run, turns, ending: findEnding({ ...run, turns }, lens) });
    if (pauses.isDue(turns.length)) yield;
  }
  const circumstances = yield* runCircumstances(
    observed,
    ended.map(({ ending }) => ending !== undefined),
  );
  /** Whether the last run of a session was bad. */
  const wasBad = new Map<number, boolean>();
  const runs: CountedRun[] = [];
  let options = 0;
  for (const [index, { run, turns, ending }] of ended.entries()) {
    const { cluster, situation, release, weight, errors, reactions, costs, draws } = run;
    const slice = Math.floor((index * slices) / observed.length);
    for (const turn of turns) for (const option of turn) options = Math.max(options, option + 1);
    runs.push({
      cluster,
      situation,
      background: backgrounds.of(
        `${situation} ${release} ${slice} ${wasBad.get(cluster) ?? false} ${circumstances[index]}`,
      ),
      weight,
      turns,
      reactions,
      errorsBefore: countBefore(errors),
      isBad: ending !== undefined,
      lastAtRisk: ending?.onset ?? turns.length - 1,
      isLocated: ending?.isLocated ?? true,
      isCircle: ending?.isCircle ?? false,
      kind: ending === undefined ? -1 : kinds.of(ending.kind),
      ...(costs && { costs }),
      ...(draws && { draws }),
    });
    wasBad.set(cluster, ending !== undefined);
    if (pauses.isDue(turns.length)) yield;
  }
  const left = yield* dropSuccessfulEnds(runs, options);
  return { runs: left, options, turnBuckets: turnBuckets(left) };
}

function countBefore(errors: ObservedRun["errors"]): number[] {
  let count = 0;
  return errors.map((error) => (error === null ? count : count++));
}
