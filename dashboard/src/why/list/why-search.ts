import { DECISION_POINT_TYPES, type DecisionPointType, WHY_GROUPS, type WhyGroup } from "@whytrace/contract";
import { omitEmpty, parseOneOf, parseText } from "../../client/search-params.ts";
import { type CountedSearch, parseCountedSearch } from "../counted-search.ts";
import { WHY_SORTS, type WhySort } from "../sort-rows.ts";

export interface WhySearch extends CountedSearch {
  type?: DecisionPointType | undefined;
  search?: string | undefined;
  sort?: WhySort | undefined;
  drifting?: "1" | undefined;
  /** Groups that are not as at first, separated by commas: folded, or unfolded in the case of those set aside. */
  toggled?: string | undefined;
}

export const parseWhySearch = (search: Record<string, unknown>): WhySearch =>
  omitEmpty({
    ...parseCountedSearch(search),
    type: parseOneOf(DECISION_POINT_TYPES, search.type),
    search: parseText(search.search),
    sort: parseOneOf(WHY_SORTS, search.sort),
    drifting: parseOneOf(["1"], search.drifting),
    toggled: joinGroups(parseGroups(parseText(search.toggled))),
  });

const parseGroups = (text = ""): WhyGroup[] =>
  text.split(",").flatMap((name) => parseOneOf(WHY_GROUPS, name) ?? []);
const joinGroups = (groups: WhyGroup[]) => groups.join(",") || undefined;

export const isUnfolded = (toggled: string | undefined, group: WhyGroup) =>
  parseGroups(toggled).includes(group) === (group === "aside");

export function toggleGroup(toggled: string | undefined, group: WhyGroup): string | undefined {
  const groups = parseGroups(toggled);
  return joinGroups(groups.includes(group) ? groups.filter((one) => one !== group) : [...groups, group]);
}
