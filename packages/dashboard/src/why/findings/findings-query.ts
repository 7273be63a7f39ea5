import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Findings } from "@whytrace/contract";
import { api } from "../../client/api.ts";
import { INSIGHTS_KEY } from "../../client/insights-key.ts";
import type { CountedSearch } from "../counted-search.ts";
import { countedFrom, PROGRESS_INTERVAL_MS } from "../insights-query.ts";
import type { Lens } from "./lens.ts";

export interface FindingsSearch extends Pick<CountedSearch, "agent" | "range"> {
  /** Default: the server chooses one that has bad runs. */
  lens?: Lens | undefined;
}

/** The server computes a watched list again at most once an hour. */
const WATCHED_INTERVAL_MS = 60_000;

/** An empty list is computed as soon as there are runs. */
const EMPTY_INTERVAL_MS = 10_000;

/** Each new trace refetches counts, but not findings: those of an own range are computed for each request. */
export const findingsQuery = ({ agent, range, lens }: FindingsSearch) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "findings", agent, range, lens],
    queryFn: ({ signal }) =>
      api("GET /api/insights/findings", { query: { agent, lens, from: countedFrom(range) }, signal }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => intervalMs(data),
    meta: { isLive: false },
  });

function intervalMs(found: Findings | undefined): number | false {
  if (found?.progress) return PROGRESS_INTERVAL_MS;
  if (found?.computedAt === null) return EMPTY_INTERVAL_MS;
  return found?.watched ? WATCHED_INTERVAL_MS : false;
}

export const situationKeysQuery = (agent: string) =>
  queryOptions({
    queryKey: ["situation-keys", agent],
    queryFn: ({ signal }) => api("GET /api/insights/situation-keys", { query: { agent }, signal }),
  });
