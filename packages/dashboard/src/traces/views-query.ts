import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { isSample } from "../client/base-path.ts";

const FRESH_MS = 60_000;

export const viewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: ({ signal }) => api("GET /api/views", { signal }),
  staleTime: FRESH_MS,
  enabled: !isSample,
});
