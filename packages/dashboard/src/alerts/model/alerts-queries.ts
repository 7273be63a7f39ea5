import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import type { Delivery, RuleFields } from "./alert-types.ts";

/** The first part of the key of all queries for alerts. */
export const ALERTS_KEY = "alerts";

/** Rules are checked every minute. */
const POLL_MS = 30_000;
const DELIVERIES_POLL_MS = 5_000;
const shared = { placeholderData: keepPreviousData, refetchInterval: POLL_MS } as const;

export const rulesQuery = queryOptions({
  ...shared,
  queryKey: [ALERTS_KEY, "rules"],
  queryFn: ({ signal }) => api("GET /api/alerts/rules", { signal }),
});

export const incidentsQuery = (page: number | undefined, ruleId?: string) =>
  queryOptions({
    ...shared,
    queryKey: [ALERTS_KEY, "incidents", ruleId, page],
    queryFn: ({ signal }) => api("GET /api/alerts/incidents", { query: { ruleId, page }, signal }),
  });

export const maintenanceQuery = queryOptions({
  ...shared,
  queryKey: [ALERTS_KEY, "maintenance"],
  queryFn: ({ signal }) => api("GET /api/alerts/maintenance", { signal }),
});

export const channelsQuery = queryOptions({
  ...shared,
  queryKey: [ALERTS_KEY, "channels"],
  queryFn: ({ signal }) => api("GET /api/alerts/channels", { signal }),
});

export const deliveriesQuery = (
  channelId: string,
  state: Delivery["state"] | undefined,
  page: number | undefined,
) =>
  queryOptions({
    placeholderData: keepPreviousData,
    refetchInterval: DELIVERIES_POLL_MS,
    queryKey: [ALERTS_KEY, "deliveries", channelId, state, page],
    queryFn: ({ signal }) =>
      api("GET /api/alerts/channels/:id/deliveries", {
        params: { id: channelId },
        query: { state, page },
        signal,
      }),
  });

/** What a rule would have done in the last 30 days. Previews are limited to a few a minute, so none is asked for twice. */
export const previewQuery = (rule: RuleFields) =>
  queryOptions({
    queryKey: [ALERTS_KEY, "preview", rule],
    queryFn: ({ signal }) => api("POST /api/alerts/rules/preview", { body: rule, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  });
