import {
  type FilterType,
  parseInstant,
  TRACE_FILTERS,
  TRACE_SORTS,
  type TraceFilterRow,
  type TraceFilterTexts,
  type TraceSort,
} from "@whytrace/contract";
import { omitEmpty, parseOneOf, parsePage, parseText } from "../../client/search-params.ts";

const HOUR_MS = 3_600_000;
/** Time ranges that end now: a link to "the last 24 hours" is relative to when it is opened. */
export const RELATIVE_RANGES = {
  "1h": { label: "1 hour", lengthMs: HOUR_MS },
  "24h": { label: "24 hours", lengthMs: 24 * HOUR_MS },
  "7d": { label: "7 days", lengthMs: 7 * 24 * HOUR_MS },
  "30d": { label: "30 days", lengthMs: 30 * 24 * HOUR_MS },
} as const;
export type RelativeRange = keyof typeof RELATIVE_RANGES;
export const RELATIVE_RANGE_NAMES = Object.keys(RELATIVE_RANGES) as RelativeRange[];

export const PAGE_SIZES = ["20", "50", "100"] as const;
/** After as many hits the user decides whether to search on. */
const MAX_HITS = 50;
export type PageSize = (typeof PAGE_SIZES)[number];
export const DEFAULT_PAGE_SIZE: PageSize = "20";

/** Where the text is searched: in the names of traces, or in all that they contain. */
export const SEARCH_SCOPES = ["names", "everything"] as const;

/** The list's URL search parameters: the filters, and how the list is shown. */
export interface TracesSearch extends TraceFilterTexts {
  in?: "everything" | undefined;
  received?: RelativeRange | undefined;
  /** A value that the trace's metadata has under this key. */
  [metadata: `metadata.${string}`]: string | undefined;
  /** The names behind `step`, `after` and `fingerprint`, which are hashes. Only shown, not sent. */
  about?: string | undefined;
  /** The ids of the traces that are marked to be compared. Only shown, not sent. */
  compareA?: string | undefined;
  compareB?: string | undefined;
  sort?: TraceSort | undefined;
  page?: number | undefined;
  limit?: PageSize | undefined;
}

export const parseInstantParam = (value: unknown) => {
  const text = parseText(value);
  return text && parseInstant(text) !== undefined ? text : undefined;
};

const parseNumber = (value: unknown) => {
  const text = parseText(value);
  return text && Number(text) >= 0 && Number.isFinite(Number(text)) ? text : undefined;
};

const HASH = /^[0-9a-f]{8}$/;

/** Reads the value of a filter. */
const PARSERS: Readonly<
  Record<Exclude<FilterType, "pairs">, (value: unknown, row: TraceFilterRow) => string | undefined>
> = {
  enum: (value, { values = [] }) => parseOneOf(values, value),
  text: parseText,
  list: parseText,
  number: parseNumber,
  anyNumber: (value) => {
    const text = parseText(value);
    return text && Number.isFinite(Number(text)) ? text : undefined;
  },
  integer: parseNumber,
  date: parseInstantParam,
  hash: (value, { hasStart }) => {
    const text = parseText(value);
    return text && (HASH.test(text) || (hasStart && text === "0")) ? text : undefined;
  },
};

/** Reads these filters. An invalid value, and one that says more about a filter that is not set, count as absent. */
function parseFilters(
  search: Readonly<Record<string, unknown>>,
  names: readonly string[] = Object.keys(TRACE_FILTERS),
): TraceFilterTexts {
  const texts: Record<string, string | undefined> = {};
  for (const [name, row] of Object.entries<TraceFilterRow>(TRACE_FILTERS)) {
    if (row.type === "pairs" || !names.includes(name)) continue;
    const isUsed = row.of === undefined || texts[row.of] !== undefined;
    texts[name] = isUsed ? PARSERS[row.type](search[name], row) : undefined;
  }
  // Each text is a value of its row, which TypeScript cannot infer.
  return texts as TraceFilterTexts;
}

const METADATA = "metadata.";
const isMetadata = (name: string): name is `metadata.${string}` =>
  name.startsWith(METADATA) && name.length > METADATA.length;

/** The values of metadata that are filtered by. */
export const metadataFilters = (search: TracesSearch) =>
  Object.keys(search)
    .filter(isMetadata)
    .map((name) => ({ name, key: name.slice(METADATA.length), value: search[name] ?? "" }));

/** The filter for `key=value`. Undefined if it is not one. */
export function toMetadataFilter(text: string): TracesSearch | undefined {
  const at = text.indexOf("=");
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return at > 0 && key && value ? { [`${METADATA}${key}`]: value } : undefined;
}

const parseMetadata = (search: Record<string, unknown>): TracesSearch =>
  Object.fromEntries(
    Object.keys(search)
      .filter(isMetadata)
      .map((name) => [name, parseText(search[name])]),
  );

export function parseTracesSearch(search: Record<string, unknown>): TracesSearch {
  const received = parseOneOf(RELATIVE_RANGE_NAMES, search.received);
  const filters = parseFilters(search);
  return omitEmpty({
    ...filters,
    ...parseMetadata(search),
    ...(received && { received, dateFrom: undefined, dateTo: undefined }),
    in: parseOneOf(["everything"], search.in),
    about: filters.step || filters.fingerprint ? parseText(search.about) : undefined,
    compareA: parseText(search.compareA),
    compareB: parseText(search.compareB),
    sort: parseOneOf(TRACE_SORTS, search.sort),
    page: parsePage(search.page),
    limit: parseOneOf(PAGE_SIZES, search.limit),
  });
}

/** The value of a filter, by the name that the table of filters gives it. */
export const filterText = (search: TracesSearch, name: string): string | undefined =>
  parseText(Object.entries(search).find(([key]) => key === name)?.[1]);

/** Changes these filters; undefined clears one. */
export const setFilters = (texts: Readonly<Record<string, string | undefined>>): TracesSearch =>
  parseFilters(texts, Object.keys(texts));

/** The query parameters of the API request. */
export function toTracesRequest(
  { received, about: _, compareA: _a, compareB: _b, limit = DEFAULT_PAGE_SIZE, ...rest }: TracesSearch,
  nowMs: number,
) {
  const dateFrom = received && new Date(nowMs - RELATIVE_RANGES[received].lengthMs).toISOString();
  return { ...rest, ...(dateFrom && { dateFrom }), limit };
}

/** The query parameters of a search in everything: the same filters, but always newest first and without pages. */
export function toSearchRequest({ search, in: _, sort, page, ...filters }: TracesSearch, nowMs: number) {
  return { q: search, ...toTracesRequest(filters, nowMs), limit: MAX_HITS };
}

/** What a saved view consists of: everything but the page and what is selected. */
export const toViewQuery = ({ page: _page, compareA: _a, compareB: _b, ...view }: TracesSearch): string =>
  `${new URLSearchParams(Object.entries(omitEmpty(view)).map(([name, value]) => [name, String(value)]))}`;
