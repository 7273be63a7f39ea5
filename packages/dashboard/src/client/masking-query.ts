import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

const PROGRESS_INTERVAL_MS = 1_000;

/** While rules are applied to what is stored, it says how far that is. */
export const maskingQuery = queryOptions({
  queryKey: ["masking"],
  queryFn: ({ signal }) => api("GET /api/masking", { signal }),
  refetchInterval: ({ state }) => (state.data?.job?.status === "running" ? PROGRESS_INTERVAL_MS : false),
});
