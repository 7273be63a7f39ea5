import { omitEmpty, parseOneOf, parsePage, parseText } from "../../client/search-params.ts";

export const VIEWS = ["rules", "incidents", "channels", "maintenance"] as const;
export type AlertsView = (typeof VIEWS)[number];
export const DELIVERY_VIEWS = ["all", "waiting", "failed"] as const;

/** What the page of alerts shows. The defaults are not in the URL. */
export interface AlertsSearch {
  view?: AlertsView | undefined;
  /** The rule that is open; `new`: one that is being made. */
  rule?: string | undefined;
  /** The channel whose deliveries are shown. */
  channel?: string | undefined;
  delivery?: string | undefined;
  state?: (typeof DELIVERY_VIEWS)[number] | undefined;
  page?: number | undefined;
}

export const parseAlertsSearch = (search: Record<string, unknown>): AlertsSearch =>
  omitEmpty({
    view: parseOneOf(VIEWS, search.view),
    rule: parseText(search.rule),
    channel: parseText(search.channel),
    delivery: parseText(search.delivery),
    state: parseOneOf(DELIVERY_VIEWS, search.state),
    page: parsePage(search.page),
  });
