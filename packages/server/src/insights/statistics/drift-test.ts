import { MIN_COMPARED_DECISIONS, type UntestedReason } from "@whytrace/contract";
import type { DriftCounts } from "./drift-counts.ts";
import { chiSquaredTest } from "./hypothesis-tests/chi-squared-test.ts";
import { effectiveSessions } from "./hypothesis-tests/effective-sessions.ts";
import { permutationTest } from "./hypothesis-tests/permutation-test.ts";
import { raoScottEffect } from "./hypothesis-tests/rao-scott-effect.ts";

const MAX_PERMUTED_DECISIONS = 1_000;
/** What a permutation test returns if no draw was as far apart. */
const LEAST_PERMUTED = 1 / 2_000;

/** Fewer sessions of equal size on a side do not tell how much sessions differ by chance. */
const MIN_COMPARED_SESSIONS = 10;

interface DriftResult {
  /** The probability of such a difference by chance; null if it cannot be tested. */
  p: number | null;
  /** Why it cannot be tested. */
  untested: UntestedReason | null;
  /** Half the sum of the differences of the shares: the share of choices that moved to other options. */
  distance: number;
}

/**
 * Whether the shares of options differ between two sides: permutations for few decisions, chi-squared for many. Where runs
 * or sessions repeat a decision, permuting decisions would take their habit for drift: chi-squared, divided by the design effect.
 */
export function driftTest(base: DriftCounts, current: DriftCounts): DriftResult {
  const [before, after] = [base, current].map(({ options }) => options.map(({ chosen }) => chosen));
  if (before === undefined || after === undefined) return { p: null, untested: "one-side", distance: 0 };
  const [size, currentSize] = [sum(before), sum(after)];
  const isOneSided = size === 0 || currentSize === 0;
  const distance = isOneSided
    ? 0
    : sum(before.map((count, i) => Math.abs(count / size - (after[i] ?? 0) / currentSize))) / 2;
  const untested = isOneSided ? "one-side" : (untestedReason(base) ?? untestedReason(current));
  if (untested !== null) return { p: null, untested, distance };
  const effect = raoScottEffect([base, current]);
  const isRepeated = sum(squaresOf(base)) + sum(squaresOf(current)) > size + currentSize;
  if (isRepeated || size + currentSize > MAX_PERMUTED_DECISIONS)
    return { p: chiSquaredTest(before, after, effect), untested, distance };
  const p = permutationTest(before, after);
  // So few draws cannot tell how small p is, which matters once it is adjusted for many signatures.
  return { p: p > LEAST_PERMUTED ? p : Math.min(p, chiSquaredTest(before, after)), untested, distance };
}

/** Why a side is too small to be tested. */
export function untestedReason(side: DriftCounts): UntestedReason | null {
  const decisions = sum(side.options.map(({ chosen }) => chosen));
  if (decisions < MIN_COMPARED_DECISIONS) return "few-decisions";
  const sessions = effectiveSessions(decisions, sum(squaresOf(side)));
  return sessions < MIN_COMPARED_SESSIONS ? "few-sessions" : null;
}

/** Their sum is Σn² over the sessions. */
const squaresOf = ({ options }: DriftCounts) => options.map(({ products }) => products);

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
