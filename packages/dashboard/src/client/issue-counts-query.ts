import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

/** The first part of the key of all queries for issues. */
export const ISSUES_KEY = "issues";

/** How many issues have each state. */
export const issueCountsQuery = queryOptions({
  queryKey: [ISSUES_KEY, "counts"],
  queryFn: ({ signal }) => api("GET /api/issues", { query: { limit: 1 }, signal }),
  select: ({ counts }) => counts,
  staleTime: 30_000,
  refetchInterval: 60_000,
});
