import type { Status } from "./traces/enums.ts";

export const SEARCH_RECORDS = ["trace", "span", "decisionPoint", "event"] as const;
export type SearchRecord = (typeof SEARCH_RECORDS)[number];

export const SEARCH_FIELDS = [
  "input",
  "output",
  "metadata",
  "name",
  "statusMessage",
  "reasoning",
  "chosen",
  "alternatives",
  "contextSnapshot",
] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** A field of a record that contains the searched text, with the text around its first occurrence. */
export interface SearchHit {
  kind: "hit";
  traceId: string;
  traceName: string;
  traceStartedAt: string;
  status: Status;
  record: { kind: SearchRecord; id: string; name: string };
  field: SearchField;
  before: string;
  match: string;
  after: string;
  /** On the last hit of a trace: the number of further hits in it that are left out. */
  moreInTrace?: number;
}

/** How far the search is: sent at least once a second. */
export interface SearchProgress {
  kind: "progress";
  traces: number;
  totalTraces: number;
  /** The size of what was searched, uncompressed. */
  bytes: number;
  /** When the trace that was searched last started; absent before the first. */
  reachedAt?: string;
  /** Continues the search after that trace. Hits in it and before it precede this line. */
  cursor?: string;
}

/** The last line. A response that ends without it broke off. */
export interface SearchEnd {
  kind: "end";
  /** Continues the search; null if everything was searched. */
  cursor: string | null;
  traces: number;
  bytes: number;
}

/** One line of the response of `GET /api/search`. */
export type SearchLine = SearchHit | SearchProgress | SearchEnd;
