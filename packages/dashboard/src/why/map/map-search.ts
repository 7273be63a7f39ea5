import { omitEmpty, parseOneOf, parseText } from "../../client/search-params.ts";
import { type CountedSearch, parseCountedSearch } from "../counted-search.ts";

export const MAP_VIEWS = ["map", "table"] as const;
export type MapView = (typeof MAP_VIEWS)[number];

export interface MapSearch extends CountedSearch {
  view?: MapView | undefined;
  search?: string | undefined;
  /** How many of the most frequent choices and paths are shown. */
  choices?: number | undefined;
  paths?: number | undefined;
  /** The step that is selected, and the one before it if a path is selected. */
  step?: string | undefined;
  from?: string | undefined;
}

const parseLimit = (value: unknown): number | undefined => {
  const limit = Number(value);
  return Number.isInteger(limit) && limit > 0 ? limit : undefined;
};

export const parseMapSearch = (search: Record<string, unknown>): MapSearch =>
  omitEmpty({
    ...parseCountedSearch(search),
    view: parseOneOf(MAP_VIEWS, search.view),
    search: parseText(search.search),
    choices: parseLimit(search.choices),
    paths: parseLimit(search.paths),
    step: parseText(search.step),
    from: parseText(search.from),
  });
