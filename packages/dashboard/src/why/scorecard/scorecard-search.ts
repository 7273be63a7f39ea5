import { omitEmpty, parseOneOf, parseText } from "../../client/search-params.ts";
import { type CountedSearch, parseCountedSearch } from "../counted-search.ts";
import { LENSES, type Lens } from "../findings/lens.ts";

/** What runs have in common that are compared with each other: the decision before, the release or the agent. */
const LIKENESSES = ["before", "release", "agent"] as const;
export type Likeness = (typeof LIKENESSES)[number];

export interface ScorecardSearch extends CountedSearch {
  /** The list of findings that is shown. */
  lens?: Lens | undefined;
  like?: Likeness | undefined;
  /** The step of the option that is selected, whose reasons are shown. */
  option?: string | undefined;
}

export const parseScorecardSearch = (search: Record<string, unknown>): ScorecardSearch =>
  omitEmpty({
    ...parseCountedSearch(search),
    lens: parseOneOf(LENSES, search.lens),
    like: parseOneOf(LIKENESSES, search.like),
    option: parseText(search.option),
  });
