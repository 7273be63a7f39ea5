import type { WhyRow } from "@whytrace/contract";

export const WHY_SORTS = ["failures", "cost", "drift", "decided"] as const;
export type WhySort = (typeof WHY_SORTS)[number];

const LAST = Number.NEGATIVE_INFINITY;

/** What rows are sorted by. Intervals count with their lower end, so that a large but uncertain difference does not lead. */
const KEYS: Record<WhySort, (row: WhyRow) => number> = {
  failures: ({ comparison }) => comparison?.failures.low ?? LAST,
  cost: ({ comparison }) => comparison?.costUsd?.low ?? LAST,
  drift: ({ drift }) => (drift ? Math.abs(drift.after - drift.before) : LAST),
  decided: ({ decisions }) => decisions,
};

/** Sorts rows, the largest first; rows that are equal, or cannot be compared, by how often they were decided. */
export function sortRows(rows: readonly WhyRow[], sort: WhySort): WhyRow[] {
  const key = KEYS[sort];
  return rows.toSorted((a, b) => (key(a) === key(b) ? b.decisions - a.decisions : key(b) - key(a)));
}
