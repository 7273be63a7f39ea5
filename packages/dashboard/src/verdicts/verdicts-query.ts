import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";

/** The most that the server returns at once. */
const MAX_VERDICTS = 100;

export const traceVerdictsQuery = (traceId: string) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "verdicts", traceId],
    queryFn: ({ signal }) =>
      api("GET /api/insights/verdicts", { query: { traceId, limit: MAX_VERDICTS }, signal }),
    staleTime: 10_000,
  });

export const verdictCountsQuery = (signature: string, agent: string | undefined) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "verdict-counts", signature, agent],
    queryFn: ({ signal }) =>
      api("GET /api/insights/verdicts/counts", { query: { signature, agent }, signal }),
    staleTime: 10_000,
  });
