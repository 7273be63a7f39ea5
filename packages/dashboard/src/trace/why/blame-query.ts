import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import { INSIGHTS_KEY } from "../../client/insights-key.ts";

const PROGRESS_INTERVAL_MS = 2_000;

/** `outlineMs`: when the outline was fetched. A newer one may have more decisions and errors. */
export const blameQuery = (traceId: string, spanId: string | undefined, outlineMs: number) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "blame", traceId, spanId, outlineMs],
    queryFn: ({ signal }) =>
      api("GET /api/insights/blame/:traceId", { params: { traceId }, query: { spanId }, signal }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.progress ? PROGRESS_INTERVAL_MS : false),
  });
