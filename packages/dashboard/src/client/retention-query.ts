import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

export const retentionQuery = queryOptions({
  queryKey: ["retention"],
  // It changes when the user or the plan changes it.
  staleTime: 60_000,
  queryFn: ({ signal }) => api("GET /api/workspace/retention", { signal }),
});
