import { DECISION_POINT_TYPES, type DecisionPointType } from "@whytrace/contract";
import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";

/** Comparisons need more decisions than a week usually has. */
export const DEFAULT_WHY_RANGE: RangeName = "30d";

export const WHY_SORTS = ["failures", "cost", "drift", "decided"] as const;
export type WhySort = (typeof WHY_SORTS)[number];

/** Which runs are counted. The list and the scorecards share it, so that it stays when users go from one to the other. */
export interface CountedSearch {
  agent?: string | undefined;
  range?: RangeName | undefined;
}

export interface WhySearch extends CountedSearch {
  type?: DecisionPointType | undefined;
  search?: string | undefined;
  sort?: WhySort | undefined;
  drifting?: "1" | undefined;
}

export const parseCountedSearch = (search: Record<string, unknown>): CountedSearch => ({
  agent: parseText(search.agent),
  range: parseOneOf(RANGE_NAMES, search.range),
});

export const parseWhySearch = (search: Record<string, unknown>): WhySearch =>
  omitEmpty({
    ...parseCountedSearch(search),
    type: parseOneOf(DECISION_POINT_TYPES, search.type),
    search: parseText(search.search),
    sort: parseOneOf(WHY_SORTS, search.sort),
    drifting: parseOneOf(["1"], search.drifting),
  });
