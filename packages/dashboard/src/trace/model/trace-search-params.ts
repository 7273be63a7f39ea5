import { SEARCH_FIELDS, type SearchField } from "@whytrace/contract";
import { omitEmpty, parseOneOf, parseText } from "../../client/search-params.ts";
import { QUICK_SEARCHES, type QuickSearch } from "./quick-searches.ts";

export const VIEWS = ["tree", "transcript"] as const;
export type View = (typeof VIEWS)[number];
export const TABS = ["why", "overview", "scores", "io", "decisions", "events", "raw"] as const;
export type Tab = (typeof TABS)[number];

/** The URL search parameters of the trace page. */
export interface TraceSearchParams {
  span?: string | undefined;
  decision?: string | undefined;
  event?: string | undefined;
  /** The field of the selected record in which `q` was found. */
  field?: SearchField | undefined;
  q?: string | undefined;
  view?: View | undefined;
  tab?: Tab | undefined;
  find?: QuickSearch | undefined;
}

export const parseTraceSearchParams = (search: Record<string, unknown>): TraceSearchParams =>
  omitEmpty({
    span: parseText(search.span),
    decision: parseText(search.decision),
    event: parseText(search.event),
    field: parseOneOf(SEARCH_FIELDS, search.field),
    q: parseText(search.q),
    view: parseOneOf(VIEWS, search.view),
    tab: parseOneOf(TABS, search.tab),
    find: parseOneOf(QUICK_SEARCHES, search.find),
  });
