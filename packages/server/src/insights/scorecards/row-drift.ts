import type { RowDrift } from "@whytrace/contract";
import { hash32ToHex } from "@whytrace/contract";
import type { CountedDay } from "../days/counted-day.ts";
import type { SignatureFigures } from "../days/signature-figures.ts";
import type { DriftCounts } from "../statistics/drift-counts.ts";
import { driftTest } from "../statistics/drift-test.ts";
import { chiSquaredTest } from "../statistics/hypothesis-tests/chi-squared-test.ts";
import { raoScottEffect } from "../statistics/hypothesis-tests/rao-scott-effect.ts";

/** A day on which shares may have changed, and what to call it. */
export interface ChangePoint {
  day: string;
  name: string;
}

/** Releases beyond the newest ones are not tried. */
const MAX_CHANGE_POINTS = 5;
const MAX_P = 0.01;
const MIN_DISTANCE = 0.05;
/** Permutations take a while: only what a quick test does not rule out is tested with them. */
const MAX_QUICK_P = 0.05;

/** The clearest change of a signature's shares among the change points; null if none is clear. */
export function rowDrift(
  figures: SignatureFigures,
  days: readonly CountedDay[],
  changePoints: readonly ChangePoint[],
): RowDrift | null {
  const tried = changePoints.slice(-MAX_CHANGE_POINTS);
  if (tried.length === 0) return null;
  const counted = days.map((day) => ({ day: day.day, counts: countsOf(figures, day) }));
  let clearest: RowDrift | null = null;
  for (const { day, name } of tried) {
    const [base, current] = [noCounts(figures), noCounts(figures)];
    for (const one of counted) addCounts(one.day < day ? base : current, one.counts);
    if (quickP(base, current) > MAX_QUICK_P) continue;
    const { p, distance } = driftTest(base, current);
    // Bonferroni's correction for the number of change points.
    const adjusted = Math.min(1, (p ?? 1) * tried.length);
    if (adjusted >= MAX_P || distance < MIN_DISTANCE || adjusted >= (clearest?.p ?? 1)) continue;
    clearest = { ...largestChange(figures, base, current), since: name, p: adjusted };
  }
  return clearest;
}

const noCounts = ({ options }: SignatureFigures): DriftCounts => ({
  options: options.map(() => ({ chosen: 0, squares: 0, products: 0 })),
});

const countsOf = ({ options }: SignatureFigures, day: CountedDay): DriftCounts => ({
  options: options.map(({ rows }) => {
    const { decisions, decisionSquares, signatureProducts } = day.sum(rows);
    return { chosen: decisions, squares: decisionSquares, products: signatureProducts };
  }),
});

function addCounts(sum: DriftCounts, { options }: DriftCounts) {
  for (const [index, { chosen, squares, products }] of options.entries()) {
    const option = sum.options[index];
    if (!option) continue;
    option.chosen += chosen;
    option.squares += squares;
    option.products += products;
  }
}

const chosenOf = ({ options }: DriftCounts) => options.map(({ chosen }) => chosen);
const totalOf = (counts: DriftCounts) => chosenOf(counts).reduce((sum, chosen) => sum + chosen, 0);

function quickP(base: DriftCounts, current: DriftCounts): number {
  if (totalOf(base) === 0 || totalOf(current) === 0) return 1;
  return chiSquaredTest(chosenOf(base), chosenOf(current), raoScottEffect([base, current]));
}

function largestChange({ options }: SignatureFigures, base: DriftCounts, current: DriftCounts) {
  const [baseTotal, currentTotal] = [totalOf(base), totalOf(current)];
  const changes = options.map(({ step }, index) => ({
    step: hash32ToHex(step),
    before: (base.options[index]?.chosen ?? 0) / baseTotal,
    after: (current.options[index]?.chosen ?? 0) / currentTotal,
  }));
  return changes.reduce((largest, change) =>
    Math.abs(change.after - change.before) > Math.abs(largest.after - largest.before) ? change : largest,
  );
}
