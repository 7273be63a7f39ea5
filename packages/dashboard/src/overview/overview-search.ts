import { omitEmpty, parseOneOf } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";

export const DEFAULT_RANGE: RangeName = "30d";

export const VIEWS = ["charts", "tables"] as const;
export type View = (typeof VIEWS)[number];

export interface OverviewSearch {
  range?: RangeName | undefined;
  view?: View | undefined;
}

export const parseOverviewSearch = (search: Record<string, unknown>): OverviewSearch =>
  omitEmpty({ range: parseOneOf(RANGE_NAMES, search.range), view: parseOneOf(VIEWS, search.view) });
