import type { WhyRow } from "@whytrace/contract";

export const WHY_SORTS = ["decided", "failed", "drift"] as const;
export type WhySort = (typeof WHY_SORTS)[number];

const LAST = Number.NEGATIVE_INFINITY;

/** What rows are sorted by. */
const KEYS: Record<WhySort, (row: WhyRow) => number> = {
  decided: ({ decisions }) => decisions,
  failed: ({ options }) => sum(options, "failed") / Math.max(1, sum(options, "decisions")),
  drift: ({ drift }) => (drift ? Math.abs(drift.after - drift.before) : LAST),
};

const sum = (options: WhyRow["options"], figure: "failed" | "decisions") =>
  options.reduce((total, { rate }) => total + rate[figure], 0);

/** Sorts rows, the largest first; rows that are equal, by how often they were decided. */
export function sortRows(rows: readonly WhyRow[], sort: WhySort): WhyRow[] {
  const key = KEYS[sort];
  return rows.toSorted((a, b) => (key(a) === key(b) ? b.decisions - a.decisions : key(b) - key(a)));
}
