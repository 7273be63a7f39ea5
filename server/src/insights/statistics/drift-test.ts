import { MIN_COMPARED_DECISIONS } from "@whytrace/contract";
import { chiSquaredTest } from "./chi-squared-test.ts";
import type { DriftCounts } from "./drift-counts.ts";
import { permutationTest } from "./permutation-test.ts";
import { raoScottEffect } from "./rao-scott-effect.ts";

const MAX_PERMUTED_DECISIONS = 1_000;
/** What a permutation test returns if no draw was as far apart. */
const LEAST_PERMUTED = 1 / 2_000;

export interface DriftResult {
  /** The probability of such a difference by chance; null if there are fewer than 20 decisions on either side. */
  p: number | null;
  /** Half the sum of the differences of the shares: so much of the choices moved to other options. */
  distance: number;
}

/**
 * Whether the shares of options differ between two sides: permutations for few decisions, chi-squared for many. Where runs
 * repeat a decision, permuting decisions would take a run's habit for drift: chi-squared, divided by the design effect.
 */
export function driftTest(base: DriftCounts, current: DriftCounts): DriftResult {
  const [before, after] = [base, current].map(({ options }) => options.map(({ chosen }) => chosen));
  if (before === undefined || after === undefined) return { p: null, distance: 0 };
  const [size, currentSize] = [sum(before), sum(after)];
  const distance =
    size === 0 || currentSize === 0
      ? 0
      : sum(before.map((count, i) => Math.abs(count / size - (after[i] ?? 0) / currentSize))) / 2;
  if (Math.min(size, currentSize) < MIN_COMPARED_DECISIONS) return { p: null, distance };
  const effect = raoScottEffect([base, current]);
  const isRepeated =
    sum(base.options.concat(current.options).map(({ products }) => products)) > size + currentSize;
  if (isRepeated || size + currentSize > MAX_PERMUTED_DECISIONS)
    return { p: chiSquaredTest(before, after, effect), distance };
  const p = permutationTest(before, after);
  // So few draws cannot tell how small p is, which matters once it is adjusted for many signatures.
  return { p: p > LEAST_PERMUTED ? p : Math.min(p, chiSquaredTest(before, after, 1)), distance };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
