import { z } from "zod";
import { SEARCH_FIELDS } from "../search-fields.ts";
import { count, instant, status } from "./values.ts";

/** A field of a record that contains the searched text, with the text around its first occurrence. */
const searchHit = z.object({
  kind: z.literal("hit"),
  traceId: z.string(),
  traceName: z.string(),
  traceStartedAt: instant,
  status,
  record: z.object({
    kind: z.enum(["trace", "span", "decisionPoint", "event"]),
    id: z.string(),
    name: z.string(),
  }),
  field: z.enum(SEARCH_FIELDS),
  before: z.string().meta({ description: "Up to 60 characters before the match" }),
  match: z.string(),
  after: z.string().meta({ description: "Up to 60 characters after the match" }),
  /** On the last hit of a trace: the number of further hits in it that are left out. */
  moreInTrace: count.optional(),
});

/** How far the search is: sent at least once a second. */
const searchProgress = z.object({
  kind: z.literal("progress"),
  traces: count.meta({ description: "Traces that this request has searched" }),
  totalTraces: count.meta({ description: "All traces that match the filters" }),
  /** The size of what was searched, uncompressed. */
  bytes: count,
  /** When the trace that was searched last started; absent before the first. */
  reachedAt: instant.optional(),
  /** Continues the search after that trace. Hits in it and before it precede this line. */
  cursor: z.string().optional(),
});

/** The last line. A response that ends without it broke off. */
const searchEnd = z.object({
  kind: z.literal("end"),
  /** Continues the search; null if everything was searched. */
  cursor: z.string().nullable(),
  traces: count,
  bytes: count,
});

/** One line of the response of `GET /api/search`. */
export const searchLine = z.union([searchHit, searchProgress, searchEnd]);

export type SearchHit = z.infer<typeof searchHit>;
export type SearchRecord = SearchHit["record"]["kind"];
export type SearchLine = z.infer<typeof searchLine>;
