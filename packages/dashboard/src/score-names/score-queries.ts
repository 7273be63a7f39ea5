import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { SCORES_KEY } from "../scores/scores-query.ts";
import { countedFrom } from "../why/insights-query.ts";
import type { ScoresSearch } from "./scores-search.ts";

type Counted = Pick<ScoresSearch, "agent" | "range">;
type NamedScores = Counted & { name: string };

const LATEST = 8;
const shared = { staleTime: 10_000, placeholderData: keepPreviousData } as const;

/** What the scores of each name say. */
export const scoreSummaryQuery = ({ agent, range }: Counted) =>
  queryOptions({
    ...shared,
    queryKey: [SCORES_KEY, "summary", agent, range],
    queryFn: ({ signal }) =>
      api("GET /api/scores/summary", { query: { agent, from: countedFrom(range) }, signal }),
  });

/** One name by day: who was asked, who answered, and what they said. */
export const scoreSeriesQuery = ({ name, agent, range }: NamedScores) =>
  queryOptions({
    staleTime: 10_000,
    queryKey: [SCORES_KEY, "series", name, agent, range],
    queryFn: ({ signal }) =>
      api("GET /api/scores/series", { query: { name, agent, from: countedFrom(range) }, signal }),
  });

/** What was said under a name, and by which judges. */
export const scoreValuesQuery = ({ name, agent, range }: NamedScores) =>
  queryOptions({
    staleTime: 10_000,
    queryKey: [SCORES_KEY, "values", name, agent, range],
    queryFn: ({ signal }) =>
      api("GET /api/scores/values", { query: { name, agent, from: countedFrom(range) }, signal }),
  });

/** How far a judge agrees with people, over all time. */
export const agreementQuery = ({ name, agent, author }: Counted & { name: string; author: string | null }) =>
  queryOptions({
    staleTime: 10_000,
    queryKey: [SCORES_KEY, "agreement", name, author, agent],
    queryFn: ({ signal }) =>
      api("GET /api/scores/agreement", { query: { name, agent, author: author ?? undefined }, signal }),
  });

export const latestScoresQuery = ({ name, agent }: NamedScores) =>
  queryOptions({
    queryKey: [SCORES_KEY, "latest", name, agent],
    queryFn: ({ signal }) => api("GET /api/scores", { query: { name, agent, limit: LATEST }, signal }),
  });
