import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import type { ReviewRunsSearch } from "./review-runs-search.ts";

const BATCH = 20;

/** Runs that the member has not reviewed. They stay the same until the next batch is asked for, whatever is reviewed meanwhile. */
export const reviewQueueQuery = (search: ReviewRunsSearch, author: string, batch: number) =>
  queryOptions({
    queryKey: ["review-queue", search, author, batch],
    queryFn: ({ signal }) =>
      api("GET /api/scores/queue", {
        query: { ...search, name: "review", author, sample: "random", limit: BATCH },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
