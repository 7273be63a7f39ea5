import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";

export const comparisonQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: ["comparison", a, b],
    queryFn: ({ signal }) => api("GET /api/insights/compare", { query: { a, b }, signal }),
    // The next partner replaces the one before when it has been compared.
    placeholderData: keepPreviousData,
  });

export const partnersQuery = (traceId: string, step: string | undefined) =>
  queryOptions({
    queryKey: ["partners", traceId, step],
    queryFn: ({ signal }) =>
      api("GET /api/insights/partners/:traceId", { params: { traceId }, query: { step }, signal }),
  });
