import { omitEmpty, parseOneOf, parseText } from "../../client/search-params.ts";
import { type CountedSearch, parseCountedSearch } from "../counted-search.ts";

export const MAP_VIEWS = ["map", "table"] as const;
export type MapView = (typeof MAP_VIEWS)[number];

export interface MapSearch extends CountedSearch {
  view?: MapView | undefined;
  /** The step that is selected, and the one before it if a path is selected. */
  step?: string | undefined;
  from?: string | undefined;
}

export const parseMapSearch = (search: Record<string, unknown>): MapSearch =>
  omitEmpty({
    ...parseCountedSearch(search),
    view: parseOneOf(MAP_VIEWS, search.view),
    step: parseText(search.step),
    from: parseText(search.from),
  });
