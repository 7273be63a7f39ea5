import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";
import type { RangeName } from "../client/time-ranges.ts";
import { countedFrom } from "../why/insights-query.ts";
import type { ComparedSides } from "./releases-search.ts";

const shared = { staleTime: 10_000, placeholderData: keepPreviousData } as const;

/** All agents, or one. */
export const healthQuery = (range: RangeName | undefined, agent?: string) =>
  queryOptions({
    ...shared,
    queryKey: [INSIGHTS_KEY, "agents", "health", range, agent],
    queryFn: ({ signal }) =>
      api("GET /api/insights/agents/health", { query: { from: countedFrom(range), agent }, signal }),
  });

export const releasesQuery = (agent: string, range: RangeName | undefined) =>
  queryOptions({
    ...shared,
    queryKey: [INSIGHTS_KEY, "releases", agent, range],
    queryFn: ({ signal }) =>
      api("GET /api/insights/releases", { query: { agent, from: countedFrom(range) }, signal }),
  });

export const comparisonQuery = (agent: string, { range, releases }: ComparedSides) =>
  queryOptions({
    staleTime: 10_000,
    queryKey: [INSIGHTS_KEY, "releases", "compare", agent, range, releases],
    queryFn: ({ signal }) =>
      api("GET /api/insights/releases/compare", {
        query: {
          agent,
          release: releases?.current,
          baseRelease: releases?.base,
          from: countedFrom(range),
        },
        signal,
      }),
  });
