import type { ReleaseHistory } from "@whytrace/contract";
import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";

/** Two releases within a time range; without releases, the time range and as many days before it. */
export interface ComparedSides {
  range: RangeName | undefined;
  releases?: { current: string; base: string } | undefined;
}

/** What the page compares. Without releases: the newest one and the one before it. */
export interface ReleasesSearch {
  release?: string | undefined;
  base?: string | undefined;
  range?: RangeName | undefined;
  /** Compares the time range with the days before it, whatever releases there are. */
  by?: "time" | undefined;
}

export const parseReleasesSearch = (search: Record<string, unknown>): ReleasesSearch =>
  omitEmpty({
    release: parseText(search.release),
    base: parseText(search.base),
    range: parseOneOf(RANGE_NAMES, search.range),
    by: parseOneOf(["time"], search.by),
  });

/** A week is what people compare if they do not compare releases. */
const DEFAULT_DAYS: RangeName = "7d";

/** What is compared, once it is known which releases there are. */
export function sidesOf(
  { release, base, range, by }: ReleasesSearch,
  { releases }: Pick<ReleaseHistory, "releases">,
): ComparedSides {
  const names = releases.flatMap(({ name }) => name ?? []);
  const current = release ?? names.findLast((name) => name !== base);
  const before = base ?? names[names.indexOf(current ?? "") - 1];
  if (by === "time" || current === undefined || before === undefined) return { range: range ?? DEFAULT_DAYS };
  return { range, releases: { current, base: before } };
}
