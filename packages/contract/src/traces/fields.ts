import { DECISION_POINT_TYPES, EVENT_TYPES, SPAN_TYPES, STATUSES } from "./enums.ts";

/*
 * The only definition of the fields of a trace and its children. These tables determine the types of parsed records
 * (parsed-trace.ts), the schemas of requests and responses (schemas/batch.ts, schemas/traces.ts), the validation with its
 * order and error texts (parse-batch.ts), and in the server how a request body is scanned, and how rows are written and
 * read.
 *
 * To add a field: add it here with its description, add its column in a migration, increase VERSION in the server's
 * trace-manifest.ts if the field is a child's, and test it.
 */

/** The type of a field that is not an enum. */
export type FieldType =
  /** A non-empty string of limited length, stored exactly or refused. */
  | "id"
  /** Another record's id, or null. */
  | "reference"
  /** A non-empty string of limited length. Characters that PostgreSQL cannot store are replaced. */
  | "name"
  /** Any string, or null. */
  | "text"
  /** A finite number, or null. */
  | "number"
  /** A number above 0 and at most 1, or null. */
  | "probability"
  /** An ISO 8601 date. */
  | "instant"
  /** An ISO 8601 date, or null. */
  | "optionalInstant"
  /** An array of short strings. */
  | "tags"
  /** Any JSON, returned exactly as sent. */
  | "json"
  /** A JSON array, returned exactly as sent. */
  | "jsonArray"
  /** Any JSON, returned exactly as sent. A trace's outline omits it, because it can be megabytes long. */
  | "payload";

/** Field types by name. An enum is the list of its values. */
export type Fields = Readonly<Record<string, FieldType | readonly string[]>>;

export interface RecordTable {
  /** The record's name in error texts. */
  label: string;
  /** The fields that the specification checks, in its order. These checks come before all others of the record. */
  required: readonly string[];
  /** All fields that a client sends, in the order of columns and responses. */
  fields: Fields;
}

export const TRACE = {
  label: "trace",
  required: ["id", "name", "startedAt", "status", "tags"],
  fields: {
    id: "id",
    name: "name",
    sessionId: "reference",
    status: STATUSES,
    tags: "tags",
    metadata: "payload",
    totalCost: "number",
    totalTokens: "number",
    totalDuration: "number",
    startedAt: "instant",
    endedAt: "optionalInstant",
    sampleProbability: "probability",
  },
} as const satisfies RecordTable;

export const DECISION_POINT = {
  label: "decision point",
  required: ["id", "type", "timestamp", "alternatives"],
  fields: {
    id: "id",
    type: DECISION_POINT_TYPES,
    reasoning: "text",
    chosen: "json",
    alternatives: "jsonArray",
    contextSnapshot: "payload",
    durationMs: "number",
    costUsd: "number",
    parentSpanId: "reference",
    timestamp: "instant",
    probability: "probability",
  },
} as const satisfies RecordTable;

export const SPAN = {
  label: "span",
  required: ["id", "name", "type", "startedAt", "status"],
  fields: {
    id: "id",
    parentSpanId: "reference",
    name: "name",
    type: SPAN_TYPES,
    input: "payload",
    output: "payload",
    tokenCount: "number",
    costUsd: "number",
    durationMs: "number",
    status: STATUSES,
    statusMessage: "text",
    startedAt: "instant",
    endedAt: "optionalInstant",
    metadata: "payload",
  },
} as const satisfies RecordTable;

export const EVENT = {
  label: "event",
  required: ["id", "name", "type", "timestamp"],
  fields: {
    id: "id",
    spanId: "reference",
    type: EVENT_TYPES,
    name: "name",
    metadata: "payload",
    timestamp: "instant",
  },
} as const satisfies RecordTable;

/** The children of a trace, in the order in which they are checked. */
export const CHILDREN = { decisionPoints: DECISION_POINT, spans: SPAN, events: EVENT } as const;
export type ChildKind = keyof typeof CHILDREN;

/*
 * Descriptions of the fields for the API reference. They are separate from the tables, because the SDK bundles the
 * tables and does not need the descriptions.
 */
type Descriptions<Table extends RecordTable> = Readonly<Record<keyof Table["fields"], string>>;

const JSON_AS_SENT = "Any JSON, returned exactly as sent";
const MILLISECONDS = "Milliseconds";
const US_DOLLARS = "US dollars";
const TOKENS = "Tokens";
const STARTED_AT = "When it started";
const ENDED_AT = "When it ended; null or absent while it is running";

export const TRACE_DESCRIPTIONS: Descriptions<typeof TRACE> = {
  id: "Chosen by the client, usually a UUID. Sending the same id again replaces the trace",
  name: "Usually the agent's name",
  sessionId: "Traces with the same sessionId form one session of an agent",
  status: "State of the run",
  tags: "Labels to filter by",
  metadata: JSON_AS_SENT,
  totalCost: US_DOLLARS,
  totalTokens: TOKENS,
  totalDuration: MILLISECONDS,
  startedAt: STARTED_AT,
  endedAt: ENDED_AT,
  sampleProbability:
    "The probability with which sampling kept this trace. Findings count it as so many runs as it stands for; null counts as 1",
};

export const DECISION_POINT_DESCRIPTIONS: Descriptions<typeof DECISION_POINT> = {
  id: "Unique among the trace's decision points",
  type: "What kind of decision it was",
  reasoning: "Why this option was chosen",
  chosen: "The chosen option: any JSON, returned exactly as sent; null if absent",
  alternatives: "The options that were not chosen, each any JSON; may be empty",
  contextSnapshot: "What was known when the decision was made: any JSON, returned exactly as sent",
  durationMs: MILLISECONDS,
  costUsd: US_DOLLARS,
  parentSpanId:
    "The span in which the decision was made; stored as null unless that span is in the same trace",
  timestamp: "When the decision was made",
  probability:
    "Set if the option was drawn at random instead of chosen: the probability with which this one was drawn",
};

export const SPAN_DESCRIPTIONS: Descriptions<typeof SPAN> = {
  id: "Unique among the trace's spans",
  parentSpanId: "The span that contains this one; it need not be in the batch",
  name: "The name of the model, tool or step",
  type: "What kind of work it was",
  input: JSON_AS_SENT,
  output: JSON_AS_SENT,
  tokenCount: TOKENS,
  costUsd: US_DOLLARS,
  durationMs: MILLISECONDS,
  status: "State of the span",
  statusMessage: "The error message, or another note on the status",
  startedAt: STARTED_AT,
  endedAt: ENDED_AT,
  metadata: JSON_AS_SENT,
};

export const EVENT_DESCRIPTIONS: Descriptions<typeof EVENT> = {
  id: "Unique among the trace's events",
  spanId: "The span in which the event happened",
  type: "What kind of event it was. USER_FEEDBACK whose metadata has a value is also a score",
  name: "What happened",
  metadata: JSON_AS_SENT,
  timestamp: "When it happened",
};
