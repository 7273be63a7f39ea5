import type { Findings } from "@whytrace/contract";

/**
 * The bad runs that no row explains, as a whole number with which the rounded figures of the rows add up. Rows that explain
 * runs only together count them twice, so then nothing adds up exactly.
 */
export function wholeChance({
  rows,
  badRuns,
  chance,
}: Pick<Findings, "rows" | "badRuns" | "chance">): number {
  const worse = rows.filter(({ group }) => group === "worse");
  if (worse.some(({ togetherWith }) => togetherWith.length > 0)) return Math.round(chance);
  const explained = worse.reduce((sum, { explains }) => sum + Math.round(explains ?? 0), 0);
  return Math.max(0, Math.round(badRuns) - explained);
}
