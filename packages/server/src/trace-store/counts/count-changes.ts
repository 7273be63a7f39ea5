import { sumTotals, type Totals } from "./totals.ts";

/** How stored traces change what is counted of their workspace. */
export interface CountChanges {
  totals: Totals;
  /** The days whose figures change: those of traces with decisions, before and after. */
  decisionDays: ReadonlySet<string>;
}

export const sumChanges = (changes: CountChanges[]): CountChanges => ({
  totals: sumTotals(changes.map(({ totals }) => totals)),
  decisionDays: new Set(changes.flatMap(({ decisionDays }) => [...decisionDays])),
});
