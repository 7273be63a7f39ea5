import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import { RANGES, type RangeName } from "../client/time-ranges.ts";
import type { IssuesSearch } from "./issues-search.ts";

/** An event stream that is reconnecting reports nothing, so what is shown is also asked for again. */
const POLL_MS = 10_000;
const DAY_MS = 24 * 3_600_000;

/** The first day of a range, in UTC: "24 hours" are yesterday and today. */
export const firstDay = (range: RangeName = "30d") =>
  new Date(Date.now() - Math.max(DAY_MS, RANGES[range].lengthMs - DAY_MS)).toISOString().slice(0, 10);

export const issuesQuery = ({ range, ...filters }: IssuesSearch) =>
  queryOptions({
    queryKey: [ISSUES_KEY, "list", range, filters],
    queryFn: ({ signal }) =>
      api("GET /api/issues", { query: { ...filters, from: firstDay(range), limit: 50 }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

/** The issues that count a run. */
export const traceIssuesQuery = (traceId: string) =>
  queryOptions({
    queryKey: [ISSUES_KEY, "trace", traceId],
    queryFn: ({ signal }) => api("GET /api/issues", { query: { traceId, state: "all" }, signal }),
    select: ({ issues }) => issues,
    staleTime: 10_000,
  });

/** An issue with what its page shows. */
export const issueQuery = (number: string, range: RangeName | undefined) =>
  queryOptions({
    queryKey: [ISSUES_KEY, "one", number, range],
    queryFn: ({ signal }) =>
      api("GET /api/issues/:number", { params: { number }, query: { from: firstDay(range) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
