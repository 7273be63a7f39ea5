import { DECISION_POINT_TYPES, type DecisionPointType } from "@whytrace/contract";
import { omitEmpty, parseOneOf, parseText } from "../../client/search-params.ts";
import { type CountedSearch, parseCountedSearch } from "../counted-search.ts";
import { LENSES, type Lens } from "../findings/lens.ts";
import { WHY_SORTS, type WhySort } from "../sort-rows.ts";

export const DEFAULT_SORT: WhySort = "decided";

export interface WhySearch extends CountedSearch {
  lens?: Lens | undefined;
  type?: DecisionPointType | undefined;
  search?: string | undefined;
  sort?: WhySort | undefined;
  drifting?: "1" | undefined;
  /** Decisions that were set aside are unfolded. */
  aside?: "1" | undefined;
}

export const parseWhySearch = (search: Record<string, unknown>): WhySearch =>
  omitEmpty({
    ...parseCountedSearch(search),
    lens: parseOneOf(LENSES, search.lens),
    type: parseOneOf(DECISION_POINT_TYPES, search.type),
    search: parseText(search.search),
    sort: parseOneOf(WHY_SORTS, search.sort),
    drifting: parseOneOf(["1"], search.drifting),
    aside: parseOneOf(["1"], search.aside),
  });
