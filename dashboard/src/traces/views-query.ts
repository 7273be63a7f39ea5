import { queryOptions } from "@tanstack/react-query";
import type { SavedView } from "@whytrace/contract";
import { api } from "../client/api.ts";

const FRESH_MS = 60_000;

export const viewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: ({ signal }) => api<{ views: SavedView[] }>("/api/views", { signal }),
  staleTime: FRESH_MS,
});
