import { Pauses } from "../pauses.ts";
import type { ObservedRun } from "./observed-run.ts";

/** Agents have fewer tools. Work and memory grow with the square of the options that a run has. */
export const MAX_OPTIONS = 128;

/**
 * Which options are counted: those that the most runs chose. Returns the new number of each option, or undefined for one that is
 * left out.
 */
export function* limitOptions(
  runs: readonly ObservedRun[],
  options: number,
): Generator<undefined, (number | undefined)[]> {
  const pauses = new Pauses();
  const having = new Float64Array(options);
  for (const { turns } of runs) {
    for (const option of new Set(turns.flat())) having[option] = (having[option] ?? 0) + 1;
    if (pauses.isDue(turns.length)) yield;
  }
  const kept = [...having.keys()]
    .sort((one, other) => (having[other] ?? 0) - (having[one] ?? 0) || one - other)
    .slice(0, MAX_OPTIONS)
    .sort((one, other) => one - other);
  const numbers: (number | undefined)[] = Array.from({ length: options }, () => undefined);
  for (const [number, option] of kept.entries()) numbers[option] = number;
  return numbers;
}
