import type { SearchField, SearchRecord } from "@whytrace/contract";

/** How a field is searched. */
export const FIELD_FORMATS: Readonly<Record<SearchField, "text" | "json">> = {
  name: "text",
  statusMessage: "text",
  reasoning: "text",
  chosen: "json",
  alternatives: "json",
  input: "json",
  output: "json",
  metadata: "json",
  contextSnapshot: "json",
};

/** Values of records that are read but not searched. A decision point has no name; `title` takes its place. */
type PlainColumn = "id" | "status" | "title";
export type Column = SearchField | PlainColumn;

export interface Section {
  kind: SearchRecord;
  columns: readonly Column[];
}

/**
 * A chunk is a number of traces that are read and searched together. Its first results are these sections. Each has a row
 * per trace: the trace's ordinal in the chunk, the positions of the records, and an array with their values per column. One
 * row per trace costs the server's main thread much less than one row per record.
 */
export const SECTIONS = {
  traces: { kind: "trace", columns: ["id", "status", "name", "metadata"] },
  spans: { kind: "span", columns: ["id", "name", "statusMessage"] },
  decisionPoints: {
    kind: "decisionPoint",
    columns: ["id", "title", "reasoning", "chosen", "alternatives", "contextSnapshot"],
  },
  events: { kind: "event", columns: ["id", "name"] },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof SECTIONS;

/** The order of a chunk's results. The last one has a row for each piece of a part of packed payloads. */
export const CHUNK_RESULTS = ["traces", "spans", "decisionPoints", "events", "parts"] as const satisfies (
  | SectionName
  | "parts"
)[];
