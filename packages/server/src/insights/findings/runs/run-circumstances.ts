import { groupByRate, type Stretch } from "./group-by-rate.ts";
import type { ObservedRun } from "./observed-run.ts";

export type StartedRun = Pick<ObservedRun, "startedAtMs" | "cluster">;

const HOURS = 24;
/** The time range has at most so many stretches, of at least so many runs. */
const MAX_STRETCHES = 128;
const RUNS_PER_STRETCH = 5;
/** Runs of a few minutes come from a script or a test, one kind after the other: no incident shows in their order. */
const MIN_RANGE_MS = 10 * 60_000;
/** In a session: the first run, the second, the next two, four, eight and so on. */
const MAX_PLACES = 12;

/**
 * What is known of each run before its first turn, as one text: whether it started at a weekend, when other people and other tasks
 * come; and, as far as runs go wrong more or less often by it, in which period, at which hours of the day, and after how many runs of
 * its session. Otherwise what is chosen at such a time would be accused. Runs are in the order of time. Yields where the caller may pause.
 */
export function* runCircumstances(
  runs: readonly StartedRun[],
  isBad: readonly boolean[],
): Generator<undefined, string[]> {
  const hours = runs.map(({ startedAtMs }) => new Date(startedAtMs).getUTCHours());
  const groups = [
    yield* groupRuns(periodsOf(runs), isBad, MAX_STRETCHES),
    yield* groupRuns(hours, isBad, HOURS),
    yield* groupRuns(placesInSession(runs), isBad, MAX_PLACES),
  ];
  return runs.map(({ startedAtMs }, index) =>
    [isWeekend(new Date(startedAtMs)), ...groups.map((own) => own[index])].join(" "),
  );
}

/** The group of each run, by the stretch that it is in. */
function* groupRuns(
  stretchOf: readonly number[],
  isBad: readonly boolean[],
  count: number,
): Generator<undefined, number[]> {
  const stretches = Array.from({ length: count }, (): Stretch => ({ runs: 0, bad: 0 }));
  for (const [index, number] of stretchOf.entries()) {
    const stretch = stretches[number];
    if (!stretch) continue;
    stretch.runs += 1;
    if (isBad[index]) stretch.bad += 1;
  }
  const groups = yield* groupByRate(stretches);
  return stretchOf.map((number) => groups[number] ?? 0);
}

/** Parts of the time range with equally many runs. */
function periodsOf(runs: readonly StartedRun[]): number[] {
  const rangeMs = (runs.at(-1)?.startedAtMs ?? 0) - (runs[0]?.startedAtMs ?? 0);
  if (rangeMs < MIN_RANGE_MS) return runs.map(() => 0);
  const count = Math.max(1, Math.min(MAX_STRETCHES, Math.floor(runs.length / RUNS_PER_STRETCH)));
  return runs.map((_, index) => Math.floor((index * count) / runs.length));
}

function placesInSession(runs: readonly StartedRun[]): number[] {
  const counts = new Map<number, number>();
  return runs.map(({ cluster }) => {
    const before = counts.get(cluster) ?? 0;
    counts.set(cluster, before + 1);
    return Math.min(MAX_PLACES - 1, Math.ceil(Math.log2(before + 1)));
  });
}

/** By UTC: where the agent's users are is not known. */
const isWeekend = (startedAt: Date) => [0, 6].includes(startedAt.getUTCDay());
