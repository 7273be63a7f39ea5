import { DECISION_POINT_TYPES, DECISION_SORTS, STATUSES, TRACE_SORTS } from "@whytrace/contract";
import { TAGS } from "../generate/generate.ts";
import { SEARCH_WORDS } from "../generate/vocabulary.ts";
import type { ReadSamples } from "./read-samples.ts";

export interface ReadCase {
  name: string;
  /** The path of the nth request. */
  path(index: number): string;
}

type Query = Record<string, string | number>;

const DAY_MS = 24 * 3_600_000;
/** Occurs in about every fourth name and text, and is too short for the trigram index. */
const TWO_LETTERS = "qu";

/** Every kind of read. Page numbers are those of the full-size tenant, scaled with its size. */
export function readCases(samples: ReadSamples, scale: number): ReadCase[] {
  const scaledPage = (page: number) => Math.max(1, Math.round(page * scale));
  const list = (path: string, name: string, query: Query): ReadCase => {
    const parameters = new URLSearchParams({ limit: "20" });
    for (const [key, value] of Object.entries(query)) parameters.set(key, String(value));
    return { name, path: () => `${path}?${parameters}` };
  };
  const traces = (name: string, query: Query) => list("/api/traces", `traces ${name}`, query);
  const decisions = (name: string, query: Query) => list("/api/decisions", `decisions ${name}`, query);
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const each = <T>(values: readonly T[], index: number): T => {
    const value = values[index % values.length];
    if (value === undefined) throw new Error("The tenant has no traces");
    return value;
  };

  return [
    ...TRACE_SORTS.map((sort) => traces(sort, { sort })),
    // The middle is the farthest from both ends; 5,000 is the last page.
    ...(["newest", "costliest"] as const).flatMap((sort) =>
      [500, 2_500, 5_000].map((page) => traces(`${sort}, page ${page}`, { sort, page: scaledPage(page) })),
    ),
    ...STATUSES.flatMap((status) => [
      traces(`status ${status}`, { status }),
      traces(`status ${status}, costliest`, { status, sort: "costliest" }),
    ]),
    traces("status ERROR, costliest, page 200", {
      status: "ERROR",
      sort: "costliest",
      page: scaledPage(200),
    }),
    traces("status COMPLETED, costliest, page 2250", {
      status: "COMPLETED",
      sort: "costliest",
      page: scaledPage(2_250),
    }),
    traces("status COMPLETED, page 2250", { status: "COMPLETED", page: scaledPage(2_250) }),
    ...Object.entries(SEARCH_WORDS.name).flatMap(([frequency, search]) => [
      traces(`search ${frequency}`, { search }),
      traces(`search ${frequency}, costliest`, { search, sort: "costliest" }),
    ]),
    traces("search common, page 500", { search: SEARCH_WORDS.name.common, page: scaledPage(500) }),
    traces("search two letters", { search: TWO_LETTERS }),
    traces("search without a hit", { search: "zyzzyva" }),
    {
      name: "traces sessionId",
      path: (index) => `/api/traces?sessionId=${each(samples.sessionIds, index)}`,
    },
    ...Object.entries(TAGS).map(([frequency, tags]) => traces(`tag ${frequency}`, { tags })),
    traces("tag common, costliest", { tags: TAGS.common, sort: "costliest" }),
    traces("tag common, page 1750", { tags: TAGS.common, page: scaledPage(1_750) }),
    traces("dateFrom 1 day ago", { dateFrom: daysAgo(1) }),
    traces("dateFrom 30 days ago", { dateFrom: daysAgo(30) }),
    traces("dateTo 60 days ago", { dateTo: daysAgo(60) }),
    traces("dateFrom 60, dateTo 59 days ago", { dateFrom: daysAgo(60), dateTo: daysAgo(59) }),
    traces("dateFrom 89 days ago, costliest, page 2500", {
      dateFrom: daysAgo(89),
      sort: "costliest",
      page: scaledPage(2_500),
    }),
    traces("status, tag and search", {
      status: "COMPLETED",
      tags: TAGS.common,
      search: SEARCH_WORDS.name.common,
    }),

    ...DECISION_SORTS.flatMap((sort) =>
      [1, 500, 5_000, 10_000, 20_000].map((page) =>
        decisions(`${sort}, page ${page}`, { sort, page: scaledPage(page) }),
      ),
    ),
    ...DECISION_SORTS.flatMap((sort) =>
      DECISION_POINT_TYPES.map((type) => decisions(`${sort}, type ${type}`, { sort, type })),
    ),
    ...DECISION_SORTS.map((sort) =>
      decisions(`${sort}, type TOOL_SELECTION, page 3000`, {
        sort,
        type: "TOOL_SELECTION",
        page: scaledPage(3_000),
      }),
    ),
    ...Object.entries(SEARCH_WORDS.reasoning).flatMap(([frequency, search]) => [
      decisions(`search ${frequency}`, { search }),
      decisions(`search ${frequency}, costliest`, { search, sort: "costliest" }),
    ]),
    decisions("search common, page 2000", { search: SEARCH_WORDS.reasoning.common, page: scaledPage(2_000) }),
    decisions("search common, type RETRY", { search: SEARCH_WORDS.reasoning.common, type: "RETRY" }),
    decisions("search two letters", { search: TWO_LETTERS }),
    decisions("search without a hit", { search: "zyzzyva" }),

    { name: "trace whole", path: (index) => `/api/traces/${each(samples.spans, index).traceId}` },
    { name: "trace outline", path: (index) => `/api/traces/${each(samples.spans, index).traceId}/outline` },
    {
      name: "one span",
      path: (index) => {
        const { traceId, id } = each(samples.spans, index);
        return `/api/traces/${traceId}/spans/${id}`;
      },
    },
    list("/api/sessions", "sessions", {}),
    list("/api/sessions", "sessions, page 300", { page: scaledPage(300) }),
    ...["traces", "errors", "choices"].flatMap((kind) =>
      [1, 7, 30, 90].map((days) => ({
        name: `stats ${kind}, ${days} days`,
        path: () => `/api/stats/${kind}?from=${encodeURIComponent(daysAgo(days))}`,
      })),
    ),
    { name: "one session", path: (index) => `/api/sessions/${each(samples.sessionIds, index)}` },
  ];
}

/** The first and the 1,000th page of every list, whose time must not grow with the store. */
export function firstPages(stored: number): ReadCase[] {
  const pages = stored >= 20_000 ? [1, 1_000] : [1];
  return pages.flatMap((page) => [
    ...TRACE_SORTS.map((sort) => ({
      name: `traces ${sort}, page ${page}`,
      path: () => `/api/traces?sort=${sort}&page=${page}`,
    })),
    ...STATUSES.filter((status) => page === 1 || status === "COMPLETED").map((status) => ({
      name: `traces status ${status}, page ${page}`,
      path: () => `/api/traces?status=${status}&page=${page}`,
    })),
    ...DECISION_SORTS.map((sort) => ({
      name: `decisions ${sort}, page ${page}`,
      path: () => `/api/decisions?sort=${sort}&page=${page}`,
    })),
    { name: `sessions, page ${page}`, path: () => `/api/sessions?page=${page}` },
  ]);
}
