import { oneOf, textOf, withoutAbsent } from "../../client/search-params.ts";
import { FINDS, type Find } from "./finds.ts";

export const VIEWS = ["tree", "transcript"] as const;
export type View = (typeof VIEWS)[number];
export const TABS = ["overview", "io", "decisions", "events", "raw"] as const;
export type Tab = (typeof TABS)[number];

/** All that a link to a place in a trace says. */
export interface TraceSearch {
  span?: string | undefined;
  decision?: string | undefined;
  q?: string | undefined;
  view?: View | undefined;
  tab?: Tab | undefined;
  find?: Find | undefined;
}

export const traceSearch = (search: Record<string, unknown>): TraceSearch =>
  withoutAbsent({
    span: textOf(search.span),
    decision: textOf(search.decision),
    q: textOf(search.q),
    view: oneOf(VIEWS, search.view),
    tab: oneOf(TABS, search.tab),
    find: oneOf(FINDS, search.find),
  });
