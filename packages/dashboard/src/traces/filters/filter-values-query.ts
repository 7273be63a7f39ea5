import { queryOptions } from "@tanstack/react-query";
import type { FilterField } from "@whytrace/contract";
import { api } from "../../client/api.ts";

const FRESH_MS = 30_000;

/** The values that the newest traces have, the most frequent first. */
export const filterValuesQuery = (field: FilterField) =>
  queryOptions({
    queryKey: ["filter-values", field],
    queryFn: ({ signal }) => api("GET /api/filter-values", { query: { field }, signal }),
    staleTime: FRESH_MS,
  });
