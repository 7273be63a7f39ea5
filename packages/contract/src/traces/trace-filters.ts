import { DECISION_OUTCOMES } from "./decision-outcomes.ts";
import { DECISION_POINT_TYPES, STATUSES } from "./enums.ts";
import type { FilterField } from "./filter-values.ts";
import { MAX_METADATA_KEY_LENGTH, MAX_METADATA_PAIRS, MAX_METADATA_VALUE_LENGTH } from "./metadata-limits.ts";
import { RUN_OUTCOMES } from "./run-outcomes.ts";

/*
 * The filters of the list of traces. Each row is named as its parameter is spelled in the address. From this table follow the
 * query parameters of the list, of search and of the export with their reference, the arguments of MCP tools, the
 * dashboard's address and chips, and the options of the command line.
 *
 * To add a filter: add a row here and its condition in the server's trace-filter.ts, and test it.
 */

/** The type of a filter's value. */
export type FilterType =
  /** One of `values`. */
  | "enum"
  /** Any text. */
  | "text"
  /** Several texts, separated by commas. */
  | "list"
  /** A number of at least 0. */
  | "number"
  /** Any number. */
  | "anyNumber"
  /** A whole number of at least 0. */
  | "integer"
  /** An ISO 8601 date. */
  | "date"
  /** An id of insights, 8 hexadecimal digits. */
  | "hash"
  /** Values by key, each spelled `name.key=value`. */
  | "pairs";

/** How the dashboard shows a filter. A text without a `field`, a date and a hash can be cleared, but only links set them. */
export interface TraceFilterChip {
  /** The two ends of a range have the same label, and share a chip. */
  label: string;
  /** What is typed into the chip's field. */
  field?: string;
  hint?: string;
  /** The values that are suggested. */
  values?: FilterField;
  /** What a number counts; without a unit, things. */
  unit?: "usd" | "ms";
}

export interface TraceFilterRow {
  type: FilterType;
  /** Of an enum. */
  values?: readonly string[];
  /** Whether a hash may also be 0, the start of a trace. */
  hasStart?: boolean;
  /** What the filter finds, for the API reference and the help of the command line. */
  about: string;
  /** The filter of which this one says more. Without that filter it has no effect. */
  of?: string;
  /** Without it, the filter has no chip of its own. */
  chip?: TraceFilterChip;
  /** The option of the command line and the placeholder of its value. */
  option?: { name: string; value: string };
}

/** In the order in which they are checked. */
export const TRACE_FILTERS = {
  status: {
    type: "enum",
    values: STATUSES,
    about: "Only traces with this status",
    chip: { label: "Status" },
    option: { name: "status", value: "status" },
  },
  dateFrom: {
    type: "date",
    about: "Only traces received (createdAt) at this time or later, an ISO 8601 date",
    chip: { label: "Time" },
  },
  dateTo: {
    type: "date",
    about: "Only traces received (createdAt) at this time or earlier",
    chip: { label: "Time" },
  },
  search: {
    type: "text",
    about: "Part of the name, case-insensitive",
    option: { name: "name", value: "text" },
  },
  sessionId: {
    type: "text",
    about: "Only traces with this sessionId",
    chip: { label: "Session", field: "Session ID", hint: "Exact match", values: "session" },
    option: { name: "session", value: "id" },
  },
  tags: {
    type: "list",
    about: "Only traces with at least one of these tags, separated by commas",
    chip: { label: "Tags", field: "Any of these tags", hint: "Separated by commas", values: "tag" },
    option: { name: "tag", value: "tag" },
  },
  startedFrom: {
    type: "date",
    about: "Only traces that started at this time or later",
    chip: { label: "Started" },
    option: { name: "from", value: "date" },
  },
  startedTo: {
    type: "date",
    about: "Only traces that started before this time",
    chip: { label: "Started" },
    option: { name: "to", value: "date" },
  },
  model: {
    type: "text",
    about: "Only traces with a span that called this model",
    chip: { label: "Model", field: "Name of the model", hint: "Exact match", values: "model" },
    option: { name: "model", value: "model" },
  },
  error: {
    type: "text",
    about: "Only traces with a failed span or an ERROR event of this name",
    chip: { label: "Error" },
    option: { name: "error", value: "name" },
  },
  errorMessage: {
    type: "text",
    about:
      "Only traces with a failed span whose statusMessage has these first 200 characters; together with error, a span of that name",
    chip: { label: "Error message" },
  },
  choice: {
    type: "text",
    about: "Only traces with a decision that chose the option of this name",
    chip: {
      label: "Choice",
      field: "Name of the option",
      hint: "A decision chose it. Exact match",
      values: "choice",
    },
  },
  choiceType: {
    type: "enum",
    values: DECISION_POINT_TYPES,
    about:
      "Only traces with a decision of this type; together with choice, of this type and with that option",
    chip: { label: "Decision type" },
  },
  decided: {
    type: "enum",
    values: ["yes", "no", "any"],
    about:
      "yes: only traces with decisions; no: only traces without any; any: together with agent or release, both",
    chip: { label: "Decided" },
  },
  costFrom: {
    type: "number",
    about: "Only traces whose totalCost is at least this, in US dollars",
    chip: { label: "Cost", unit: "usd", hint: "US dollars. Traces without a cost are left out." },
  },
  costTo: {
    type: "number",
    about: "Only traces whose totalCost is at most this",
    chip: { label: "Cost" },
  },
  durationFrom: {
    type: "number",
    about: "Only traces whose totalDuration is at least this, in milliseconds",
    chip: { label: "Duration", unit: "ms", hint: "Milliseconds. Traces without a duration are left out." },
  },
  durationTo: {
    type: "number",
    about: "Only traces whose totalDuration is at most this",
    chip: { label: "Duration" },
  },
  errorsFrom: {
    type: "integer",
    about: "Only traces with at least so many failed spans",
    chip: { label: "Errors", hint: "Failed spans in the trace" },
  },
  metadata: {
    type: "pairs",
    about:
      "Only traces whose metadata has this value under this key: metadata.<key>=<value>. Values of the top level are found that are " +
      `texts, numbers, true, false or null, the first ${MAX_METADATA_PAIRS} of a trace, with keys of at most ` +
      `${MAX_METADATA_KEY_LENGTH} and values of at most ${MAX_METADATA_VALUE_LENGTH} characters`,
    chip: {
      label: "Metadata",
      field: "Key and value",
      hint: "As key=value, exact match",
      values: "metadata",
    },
  },
  agent: {
    type: "text",
    about:
      "Only traces whose name is this one, with changing parts masked as #, and that have decisions unless decided says otherwise",
    chip: {
      label: "Agent",
      field: "Name of the agent",
      hint: "The name of its traces. Numbers and ids may be #.",
      values: "agent",
    },
    option: { name: "agent", value: "name" },
  },
  release: {
    type: "text",
    about:
      "Only traces of this release, which a tag such as release:1.2 or v1.2.0, or service.version, names, and that have decisions " +
      "unless decided says otherwise",
    chip: { label: "Release" },
    option: { name: "release", value: "name" },
  },
  step: {
    type: "hash",
    about:
      "Only traces with a decision that chose this: the step of an option in insights. They have ended, or are those of a lens",
    chip: { label: "Decision" },
  },
  stepOutcome: {
    type: "enum",
    values: DECISION_OUTCOMES,
    about:
      "Together with step: what followed that decision. fine is neither failed nor recovered; open: the trace is running",
    of: "step",
  },
  after: {
    type: "hash",
    hasStart: true,
    about: "Together with step: the step before that decision; 0 is the start of the trace",
    of: "step",
  },
  outcome: {
    type: "enum",
    values: RUN_OUTCOMES,
    about:
      "Only runs that are good or bad, unknown because a score is missing, or open: still running. What counts as bad is defined",
    chip: { label: "Outcome" },
    option: { name: "outcome", value: "outcome" },
  },
  ended: {
    type: "enum",
    values: ["any", "known"],
    about: "Only runs that have ended. any: whatever their outcome; known: good or bad",
    chip: { label: "Ended" },
    option: { name: "ended", value: "any" },
  },
  lens: {
    type: "enum",
    values: ["failed", "error", "scored"],
    about:
      "Only bad runs, as findings count them. failed: they failed, were abandoned, or are bad by another condition on what is known of " +
      "every run; error: an error came after one of their decisions, whether or not they got over it; scored: they have a bad score",
    chip: { label: "Lens" },
    option: { name: "lens", value: "lens" },
  },
  unasked: {
    type: "list",
    about:
      "Only traces that have ended, whose user was asked for no score, and that none of these sources judged, separated by commas: " +
      "user, judge, code, person",
    chip: { label: "Not asked, not judged by" },
  },
  issue: {
    type: "integer",
    about: "Only the runs that the issue of this number counts",
    chip: { label: "Issue", hint: "The number of the issue" },
    option: { name: "issue", value: "number" },
  },
  scoreName: {
    type: "text",
    about: "Only traces with a score of this name",
    chip: { label: "Score", field: "Name of the score", hint: "Exact match" },
    option: { name: "score", value: "name" },
  },
  scoreIs: {
    type: "text",
    about: "Together with scoreName: the score's value or label",
    of: "scoreName",
    option: { name: "score-is", value: "text" },
  },
  scoreBelow: {
    type: "anyNumber",
    about: "Together with scoreName: a number below this",
    of: "scoreName",
    option: { name: "score-below", value: "number" },
  },
  scoreAbove: {
    type: "anyNumber",
    about: "Together with scoreName: a number above this",
    of: "scoreName",
    option: { name: "score-above", value: "number" },
  },
  scoreMissing: {
    type: "enum",
    values: ["true"],
    about: "Together with scoreName: only traces without such a score",
    of: "scoreName",
    option: { name: "score-missing", value: "true" },
  },
  scoreAsked: {
    type: "enum",
    values: ["yes", "no"],
    about:
      "Together with scoreName: only traces whose user was asked for it, or was not. Alone, it does not matter whether a score came",
    of: "scoreName",
    option: { name: "score-asked", value: "yes" },
  },
  fingerprint: {
    type: "hash",
    about: "Only traces with decisions that have ended, with this error of insights",
    chip: { label: "Same error" },
  },
} as const satisfies Readonly<Record<string, TraceFilterRow>>;

type Rows = typeof TRACE_FILTERS;
export type TraceFilterName = keyof Rows;

type EnumValue<Row> = Row extends { type: "enum"; values: readonly (infer Value)[] } ? Value : never;

/** The values of filters as an address spells them, without the pairs. */
export type TraceFilterTexts = {
  -readonly [Name in TraceFilterName as Rows[Name]["type"] extends "pairs" ? never : Name]?:
    | (Rows[Name]["type"] extends "enum" ? EnumValue<Rows[Name]> : string)
    | undefined;
};
