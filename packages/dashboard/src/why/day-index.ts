import type { Release } from "@whytrace/contract";

const DAY_MS = 24 * 3_600_000;

/** How many days after the first day a release, or a day by its date, begins; undefined if it is unknown. */
export function dayIndex(
  releaseOrDay: string | undefined,
  releases: readonly Release[],
  firstDay: string,
): number | undefined {
  if (releaseOrDay === undefined) return undefined;
  const day = releases.find(({ name }) => name === releaseOrDay)?.firstDay ?? releaseOrDay;
  const days = Math.round((Date.parse(day) - Date.parse(firstDay)) / DAY_MS);
  return Number.isNaN(days) ? undefined : days;
}
