import type { IssueKind, IssueSort, ListedState } from "@whytrace/contract";
import { omitEmpty, parseOneOf, parsePage, parseText } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";

export const TABS = [
  "open",
  "regressed",
  "new",
  "resolved",
  "ignored",
] as const satisfies readonly ListedState[];
export type IssueTab = (typeof TABS)[number];
export const SORTS = [
  "inbox",
  "newest",
  "lastSeen",
  "runs",
  "people",
] as const satisfies readonly IssueSort[];
export const KINDS = ["error", "score", "condition"] as const satisfies readonly IssueKind[];

/** What the inbox lists. The defaults are not in the URL. */
export interface IssuesSearch {
  state?: IssueTab | undefined;
  agent?: string | undefined;
  release?: string | undefined;
  kind?: IssueKind | undefined;
  /** The id of a member, `me` or `none`. */
  assignee?: string | undefined;
  search?: string | undefined;
  range?: RangeName | undefined;
  sort?: IssueSort | undefined;
  page?: number | undefined;
}

export const parseIssuesSearch = (search: Record<string, unknown>): IssuesSearch =>
  omitEmpty({
    state: parseOneOf(TABS, search.state),
    agent: parseText(search.agent),
    release: parseText(search.release),
    kind: parseOneOf(KINDS, search.kind),
    assignee: parseText(search.assignee),
    search: parseText(search.search),
    range: parseOneOf(RANGE_NAMES, search.range),
    sort: parseOneOf(SORTS, search.sort),
    page: parsePage(search.page),
  });
