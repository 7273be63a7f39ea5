import {
  DECISION_POINT_TYPES,
  type DecisionPointType,
  parseInstant,
  STATUSES,
  type Status,
  TRACE_SORTS,
  type TraceSort,
} from "@whytrace/contract";
import { omitEmpty, parseOneOf, parsePage, parseText } from "../client/search-params.ts";

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
export type SearchScope = (typeof SEARCH_SCOPES)[number];

/** The list's URL search parameters. */
export interface TracesSearch {
  search?: string | undefined;
  in?: "everything" | undefined;
  status?: Status | undefined;
  tags?: string | undefined;
  sessionId?: string | undefined;
  received?: RelativeRange | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  startedFrom?: string | undefined;
  startedTo?: string | undefined;
  model?: string | undefined;
  error?: string | undefined;
  errorMessage?: string | undefined;
  choice?: string | undefined;
  choiceType?: DecisionPointType | undefined;
  costFrom?: string | undefined;
  costTo?: string | undefined;
  durationFrom?: string | undefined;
  durationTo?: string | undefined;
  errorsFrom?: string | undefined;
  /** A value that the trace's metadata has under this key. */
  [metadata: `metadata.${string}`]: string | undefined;
  agent?: string | undefined;
  release?: string | undefined;
  step?: string | undefined;
  outcome?: TraceOutcome | undefined;
  after?: string | undefined;
  fingerprint?: string | undefined;
  /** The names behind `step`, `after` and `fingerprint`, which are hashes. Only shown, not sent. */
  about?: string | undefined;
  /** The ids of the traces that are marked to be compared. Only shown, not sent. */
  compareA?: string | undefined;
  compareB?: string | undefined;
  sort?: TraceSort | undefined;
  page?: number | undefined;
  limit?: PageSize | undefined;
}

/** What followed the choice that `step` names. */
export const TRACE_OUTCOMES = ["failed", "recovered", "fine"] as const;
export type TraceOutcome = (typeof TRACE_OUTCOMES)[number];

const HASH = /^[0-9a-f]{8}$/;
const parseHash = (value: unknown) => {
  const text = parseText(value);
  return text && HASH.test(text) ? text : undefined;
};

export const parseInstantParam = (value: unknown) => {
  const text = parseText(value);
  return text && parseInstant(text) !== undefined ? text : undefined;
};

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

const parseNumber = (value: unknown) => {
  const text = parseText(value);
  return text && Number(text) >= 0 && Number.isFinite(Number(text)) ? text : undefined;
};

export function parseTracesSearch(search: Record<string, unknown>): TracesSearch {
  const received = parseOneOf(RELATIVE_RANGE_NAMES, search.received);
  const step = parseHash(search.step);
  const fingerprint = parseHash(search.fingerprint);
  return omitEmpty({
    search: parseText(search.search),
    in: parseOneOf(["everything"], search.in),
    status: parseOneOf(STATUSES, search.status),
    tags: parseText(search.tags),
    sessionId: parseText(search.sessionId),
    received,
    dateFrom: received ? undefined : parseInstantParam(search.dateFrom),
    dateTo: received ? undefined : parseInstantParam(search.dateTo),
    startedFrom: parseInstantParam(search.startedFrom),
    startedTo: parseInstantParam(search.startedTo),
    model: parseText(search.model),
    error: parseText(search.error),
    errorMessage: search.error === undefined ? undefined : parseText(search.errorMessage),
    choice: parseText(search.choice),
    choiceType: parseOneOf(DECISION_POINT_TYPES, search.choiceType),
    costFrom: parseNumber(search.costFrom),
    costTo: parseNumber(search.costTo),
    durationFrom: parseNumber(search.durationFrom),
    durationTo: parseNumber(search.durationTo),
    errorsFrom: parseNumber(search.errorsFrom),
    ...parseMetadata(search),
    agent: parseText(search.agent),
    release: parseText(search.release),
    step,
    outcome: step === undefined ? undefined : parseOneOf(TRACE_OUTCOMES, search.outcome),
    after: step === undefined ? undefined : search.after === "0" ? "0" : parseHash(search.after),
    fingerprint,
    about: step || fingerprint ? parseText(search.about) : undefined,
    compareA: parseText(search.compareA),
    compareB: parseText(search.compareB),
    sort: parseOneOf(TRACE_SORTS, search.sort),
    page: parsePage(search.page),
    limit: parseOneOf(PAGE_SIZES, search.limit),
  });
}

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
