import { omitEmpty, parseText } from "../client/search-params.ts";
import { type CountedSearch, parseCountedSearch } from "../why/counted-search.ts";

/** Which runs are counted, as on the pages of Why, and the name that is open. */
export interface ScoresSearch extends Pick<CountedSearch, "agent" | "range"> {
  name?: string | undefined;
}

export function parseScoresSearch(search: Record<string, unknown>): ScoresSearch {
  const { agent, range } = parseCountedSearch(search);
  return omitEmpty({ agent, range, name: parseText(search.name) });
}
