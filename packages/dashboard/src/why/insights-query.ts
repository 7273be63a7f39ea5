import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { DecisionMap, InsightsRange } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";
import { RANGES, type RangeName } from "../client/time-ranges.ts";
import { type CountedSearch, DEFAULT_RANGE } from "./counted-search.ts";

/** What is not complete yet is asked for again so soon. */
export const PROGRESS_INTERVAL_MS = 2_000;

const DAY_MS = 24 * 3_600_000;

/** The server counts whole days in UTC: "7 days" are today and the six days before, "24 hours" yesterday and today. */
export const countedFrom = (range: RangeName = DEFAULT_RANGE) =>
  new Date(Date.now() - Math.max(DAY_MS, RANGES[range].lengthMs - DAY_MS)).toISOString();

/** While decisions from before an update are still being read, the counts grow. */
const shared = {
  staleTime: 10_000,
  placeholderData: keepPreviousData,
  refetchInterval: ({ state }: { state: { data: InsightsRange | undefined } }) =>
    state.data?.progress ? PROGRESS_INTERVAL_MS : false,
} as const;

export const agentsQuery = ({ range }: CountedSearch) =>
  queryOptions({
    ...shared,
    queryKey: [INSIGHTS_KEY, "agents", range],
    queryFn: ({ signal }) => api("GET /api/insights/agents", { query: { from: countedFrom(range) }, signal }),
  });

export const whyQuery = ({ agent, release, range }: CountedSearch) =>
  queryOptions({
    ...shared,
    queryKey: [INSIGHTS_KEY, "decisions", agent, release, range],
    queryFn: ({ signal }) =>
      api("GET /api/insights/decisions", { query: { agent, release, from: countedFrom(range) }, signal }),
  });

export const mapQuery = ({ agent, range }: CountedSearch) =>
  queryOptions({
    ...shared,
    queryKey: [INSIGHTS_KEY, "map", agent, range],
    queryFn: ({ signal }) =>
      api("GET /api/insights/map", { query: { agent, from: countedFrom(range) }, signal }),
  });

export interface MapPathSearch extends Pick<DecisionMap, "agent" | "from" | "to"> {
  step: string;
  /** The step right before, if a path is meant. */
  after: string | undefined;
}

export const mapPathQuery = ({ agent, from, to, step, after }: MapPathSearch) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "map", "path", agent, from, to, step, after],
    queryFn: ({ signal }) =>
      api("GET /api/insights/map/path", {
        query: { agent: agent ?? undefined, from, to, step, after },
        signal,
      }),
    staleTime: 10_000,
  });

export const scorecardQuery = (signature: string, { agent, release, range }: CountedSearch) =>
  queryOptions({
    ...shared,
    queryKey: [INSIGHTS_KEY, "decisions", signature, agent, release, range],
    queryFn: ({ signal }) =>
      api("GET /api/insights/decisions/:signature", {
        params: { signature },
        query: { agent, release, from: countedFrom(range) },
        signal,
      }),
  });

export const reasonsQuery = (signature: string, step: string, { agent, release, range }: CountedSearch) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "reasons", signature, step, agent, release, range],
    queryFn: ({ signal }) =>
      api("GET /api/insights/decisions/:signature/reasons", {
        params: { signature },
        query: { step, agent, release, from: countedFrom(range) },
        signal,
      }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });

export const scoreMeansQuery = (signature: string, { agent, release, range }: CountedSearch) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "means", signature, agent, release, range],
    queryFn: ({ signal }) =>
      api("GET /api/insights/decisions/:signature/means", {
        params: { signature },
        query: { agent, release, from: countedFrom(range) },
        signal,
      }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });
