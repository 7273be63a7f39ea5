import type { RowDrift } from "@whytrace/contract";
import { hash32ToHex } from "@whytrace/contract";
import type { CountedDay } from "../days/counted-day.ts";
import type { SignatureFigures } from "../days/signature-figures.ts";
import { chiSquaredTest } from "../statistics/chi-squared-test.ts";
import type { DriftCounts } from "../statistics/drift-counts.ts";
import { driftTest } from "../statistics/drift-test.ts";
import { raoScottEffect } from "../statistics/rao-scott-effect.ts";

/** A day on which shares may have changed, and what to call it. */
export interface Turn {
  day: string;
  name: string;
}

/** Releases beyond the newest ones are not tried. */
const MAX_TURNS = 5;
const MAX_P = 0.01;
const MIN_DISTANCE = 0.05;
/** Permutations take a while: only what a quick test does not rule out is tested with them. */
const MAX_QUICK_P = 0.05;

/** The clearest change of a signature's shares among the turns; null if none is clear. */
export function rowDrift(
  figures: SignatureFigures,
  days: readonly CountedDay[],
  turns: readonly Turn[],
): RowDrift | null {
  const tried = turns.slice(-MAX_TURNS);
  let clearest: RowDrift | null = null;
  for (const { day, name } of tried) {
    const base = countsOf(
      figures,
      days.filter((counted) => counted.day < day),
    );
    const current = countsOf(
      figures,
      days.filter((counted) => counted.day >= day),
    );
    if (quickP(base, current) > MAX_QUICK_P) continue;
    const { p, distance } = driftTest(base, current);
    // Bonferroni's correction for the number of turns.
    const adjusted = Math.min(1, (p ?? 1) * tried.length);
    if (adjusted >= MAX_P || distance < MIN_DISTANCE || adjusted >= (clearest?.p ?? 1)) continue;
    clearest = { ...largestChange(figures, base, current), since: name, p: adjusted };
  }
  return clearest;
}

function countsOf({ options, total }: SignatureFigures, days: CountedDay[]): DriftCounts {
  const sum = (rows: number[], pick: (row: ReturnType<CountedDay["get"]>) => number) =>
    days.reduce((all, day) => rows.reduce((part, row) => part + pick(day.get(row)), all), 0);
  return {
    runs: sum(total.rows, ({ runs }) => runs),
    options: options.map(({ rows }) => ({
      chosen: sum(rows, ({ decisions }) => decisions),
      squares: sum(rows, ({ decisionSquares }) => decisionSquares),
      products: sum(rows, ({ signatureProducts }) => signatureProducts),
    })),
  };
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
