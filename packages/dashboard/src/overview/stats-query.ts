import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import type { RangeName } from "../client/time-ranges.ts";
import { countedFrom } from "../why/insights-query.ts";

/* Statistics of a time range that ends at the time of the request, and begins as that of Why. */

const shared = { staleTime: 10_000, refetchInterval: 60_000 } as const;

export const traceStatsQuery = (range: RangeName) =>
  queryOptions({
    ...shared,
    queryKey: ["stats", "traces", range],
    queryFn: ({ signal }) => api("GET /api/stats/traces", { query: { from: countedFrom(range) }, signal }),
  });

export const errorStatsQuery = (range: RangeName) =>
  queryOptions({
    ...shared,
    queryKey: ["stats", "errors", range],
    queryFn: ({ signal }) => api("GET /api/stats/errors", { query: { from: countedFrom(range) }, signal }),
  });

export const modelStatsQuery = (range: RangeName) =>
  queryOptions({
    ...shared,
    queryKey: ["stats", "models", range],
    queryFn: ({ signal }) => api("GET /api/stats/models", { query: { from: countedFrom(range) }, signal }),
  });
