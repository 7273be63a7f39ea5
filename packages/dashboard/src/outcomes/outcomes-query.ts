import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Condition } from "@whytrace/contract";
import { api } from "../client/api.ts";

/** Keys of all queries of definitions start with this. */
export const OUTCOMES_KEY = "outcomes";
const PROGRESS_INTERVAL_MS = 2_000;

/** The definitions that are in force. While stored runs are judged again, it says how far that is. */
export const outcomesQuery = queryOptions({
  queryKey: [OUTCOMES_KEY],
  queryFn: ({ signal }) => api("GET /api/outcomes", { signal }),
  refetchInterval: ({ state }) => (state.data?.progress ? PROGRESS_INTERVAL_MS : false),
});

export const versionsQuery = (agent: string | undefined) =>
  queryOptions({
    queryKey: [OUTCOMES_KEY, "versions", agent],
    queryFn: ({ signal }) => api("GET /api/outcomes/versions", { query: { agent }, signal }),
  });

/** What a draft would change among the newest runs. */
export const previewQuery = (agent: string | undefined, bad: readonly Condition[]) =>
  queryOptions({
    queryKey: [OUTCOMES_KEY, "preview", agent, bad],
    queryFn: ({ signal }) =>
      api("POST /api/outcomes/preview", { body: { agent: agent ?? null, bad }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
