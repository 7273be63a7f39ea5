import { queryOptions } from "@tanstack/react-query";
import type { Score } from "@whytrace/contract";
import { api } from "../client/api.ts";

/** Keys of all queries of scores start with this. */
export const SCORES_KEY = "scores";
/** The most that the server returns at once. */
const PAGE_SIZE = 100;

/** All scores of a trace, newest first. */
export const traceScoresQuery = (traceId: string) =>
  queryOptions({
    queryKey: [SCORES_KEY, traceId],
    queryFn: async ({ signal }): Promise<Score[]> => {
      // A score that comes meanwhile shifts the pages: one score can be on two of them.
      const byId = new Map<string, Score>();
      for (let page = 1, pages = 1; page <= pages; page++) {
        const query = { traceId, page, limit: PAGE_SIZE };
        const { scores, totalPages } = await api("GET /api/scores", { query, signal });
        for (const score of scores) byId.set(score.id, score);
        pages = totalPages;
      }
      return [...byId.values()];
    },
  });

/** The names under which scores came. */
export const scoreNamesQuery = queryOptions({
  queryKey: [SCORES_KEY, "names"],
  queryFn: ({ signal }) => api("GET /api/scores/names", { signal }),
  staleTime: 60_000,
});
