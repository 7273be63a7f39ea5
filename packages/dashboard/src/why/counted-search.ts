import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";

/** Comparisons need more decisions than a week usually has. */
export const DEFAULT_RANGE: RangeName = "30d";

/** Which runs are counted. All pages of Why share it, so that it stays when users go from one to the other. */
export interface CountedSearch {
  agent?: string | undefined;
  release?: string | undefined;
  range?: RangeName | undefined;
}

export const parseCountedSearch = (search: Record<string, unknown>): CountedSearch => ({
  agent: parseText(search.agent),
  release: parseText(search.release),
  range: parseOneOf(RANGE_NAMES, search.range),
});

/** The part of a page's search that other pages of Why take over. */
export const pickCounted = ({ agent, release, range }: CountedSearch): CountedSearch =>
  omitEmpty({ agent, release, range });
