import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Comparison, PartnerList } from "@whytrace/contract";
import { api, queryString } from "../client/api.ts";

export const comparisonQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: ["comparison", a, b],
    queryFn: ({ signal }) => api<Comparison>(`/api/insights/compare${queryString({ a, b })}`, { signal }),
    // The next partner replaces the one before when it has been compared.
    placeholderData: keepPreviousData,
  });

export const partnersQuery = (traceId: string, step: string | undefined) =>
  queryOptions({
    queryKey: ["partners", traceId, step],
    queryFn: ({ signal }) =>
      api<PartnerList>(`/api/insights/partners/${encodeURIComponent(traceId)}${queryString({ step })}`, {
        signal,
      }),
  });
