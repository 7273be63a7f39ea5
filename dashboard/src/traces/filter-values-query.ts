import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";

/** The filters for which the server lists values. */
export type FilterField = "agent" | "model" | "tag" | "session" | "metadata" | "choice";

const FRESH_MS = 30_000;

/** The values that the newest traces have, the most frequent first. */
export const filterValuesQuery = (field: FilterField) =>
  queryOptions({
    queryKey: ["filter-values", field],
    queryFn: ({ signal }) => api<{ values: string[] }>(`/api/filter-values?field=${field}`, { signal }),
    staleTime: FRESH_MS,
  });
