import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { PageInfo } from "@whytrace/contract";
import { api, queryString } from "../../client/api.ts";
import type {
  AlertRule,
  Channel,
  Delivery,
  Incident,
  Maintenance,
  RuleFields,
  RulePreview,
} from "./alert-types.ts";

/** The first part of the key of all queries for alerts. */
export const ALERTS_KEY = "alerts";

/** Rules are checked every minute. */
const POLL_MS = 30_000;
const DELIVERIES_POLL_MS = 5_000;
const shared = { placeholderData: keepPreviousData, refetchInterval: POLL_MS } as const;

export const rulesQuery = queryOptions({
  ...shared,
  queryKey: [ALERTS_KEY, "rules"],
  queryFn: ({ signal }) => api<{ rules: AlertRule[] }>("/api/alerts/rules", { signal }),
});

export const incidentsQuery = (page: number | undefined, ruleId?: string) =>
  queryOptions({
    ...shared,
    queryKey: [ALERTS_KEY, "incidents", ruleId, page],
    queryFn: ({ signal }) =>
      api<{ incidents: Incident[] } & PageInfo>(`/api/alerts/incidents${queryString({ ruleId, page })}`, {
        signal,
      }),
  });

export const maintenanceQuery = queryOptions({
  ...shared,
  queryKey: [ALERTS_KEY, "maintenance"],
  queryFn: ({ signal }) => api<{ maintenance: Maintenance[] }>("/api/alerts/maintenance", { signal }),
});

export const channelsQuery = queryOptions({
  ...shared,
  queryKey: [ALERTS_KEY, "channels"],
  queryFn: ({ signal }) => api<{ channels: Channel[] }>("/api/alerts/channels", { signal }),
});

export const deliveriesQuery = (channelId: string, state: string | undefined, page: number | undefined) =>
  queryOptions({
    placeholderData: keepPreviousData,
    refetchInterval: DELIVERIES_POLL_MS,
    queryKey: [ALERTS_KEY, "deliveries", channelId, state, page],
    queryFn: ({ signal }) =>
      api<{ deliveries: Delivery[] } & PageInfo>(
        `/api/alerts/channels/${encodeURIComponent(channelId)}/deliveries${queryString({ state, page })}`,
        { signal },
      ),
  });

/** What a rule would have done in the last 30 days. Previews are limited to a few a minute, so none is asked for twice. */
export const previewQuery = (rule: RuleFields) =>
  queryOptions({
    queryKey: [ALERTS_KEY, "preview", rule],
    queryFn: ({ signal }) =>
      api<RulePreview>("/api/alerts/rules/preview", { method: "POST", body: rule, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  });
