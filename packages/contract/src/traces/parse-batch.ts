import { finishSteps } from "../finish-steps.ts";
import { BatchError, errorAt, invalid } from "./batch-error.ts";
import type { FieldValues } from "./field-values.ts";
import { DECISION_POINT, EVENT, type RecordTable, SPAN, TRACE } from "./fields.ts";
import { printed } from "./parse-field.ts";
import type { ParsedTrace, ParsedTypes } from "./parsed-trace.ts";
import { type RawJson, SOURCE } from "./raw-json.ts";
import { RecordParser, type SentFields } from "./record-parser.ts";
import { MAX_TRACE_RECORDS } from "./trace-limits.ts";

/*
 * Checks a batch in the order of the specification: trace by trace as sent; within a trace its own fields, then its
 * decision points, spans and events; within a record first the specification's checks, then our additional ones. The
 * response names the first failed check.
 */

/** Returns the traces of a request body, or throws a BatchError if a check fails. */
export const parseBatch = (body: unknown): ParsedTrace[] => finishSteps(parseSteps(body));

/** Does the same, one trace per step, so that the caller can run other work between steps. */
export function* parseSteps(body: unknown): Generator<undefined, ParsedTrace[]> {
  const parsed: ParsedTrace[] = [];
  for (const [index, trace] of tracesOf(body).entries()) {
    try {
      parsed.push(parseTrace(trace));
    } catch (error) {
      throw errorAt(`traces[${index}]`, error);
    }
    yield;
  }
  refuseDuplicateIds(parsed);
  return parsed;
}

function tracesOf(body: unknown): unknown[] {
  const traces = isObject(body) ? body.traces : undefined;
  if (!Array.isArray(traces)) throw invalid("Request body must contain a 'traces' array");
  if (traces.length === 0) throw invalid("Traces array cannot be empty");
  return traces;
}

function refuseDuplicateIds(parsed: ParsedTrace[]) {
  for (const [index, { spans, decisionPoints, events }] of parsed.entries())
    for (const [name, children] of Object.entries({ spans, decisionPoints, events }))
      if (hasDuplicateId(children))
        throw errorAt(`traces[${index}].${name}`, new BatchError(409, "Duplicate trace ID detected"));
}

const hasDuplicateId = (children: { id: string }[]) =>
  children.length > 1 && new Set(children.map((child) => child.id)).size < children.length;

const traceParser = new RecordParser(TRACE);
const decisionPointParser = new RecordParser(DECISION_POINT);
const spanParser = new RecordParser(SPAN);
const eventParser = new RecordParser(EVENT);

function parseTrace(item: unknown): ParsedTrace {
  const sent = fieldsOf(item);
  const required = traceParser.readRequired(sent);
  const decisionPoints = arrayOf(sent, "decisionPoints");
  const spans = arrayOf(sent, "spans");
  const events = arrayOf(sent, "events");
  refuseMore(required.id, { decisionPoints, spans, events });
  const trace = {
    ...traceParser.complete(sent, required),
    decisionPoints: parseChildren("decisionPoints", decisionPointParser, decisionPoints),
    spans: parseChildren("spans", spanParser, spans),
    events: parseChildren("events", eventParser, events),
  };
  const spanIds = new Set(trace.spans.map((span) => span.id));
  for (const decision of trace.decisionPoints)
    if (decision.parentSpanId !== null && !spanIds.has(decision.parentSpanId)) decision.parentSpanId = null;
  return trace;
}

function refuseMore(id: unknown, children: Readonly<Record<string, unknown[]>>) {
  for (const [name, { length }] of Object.entries(children))
    if (length > MAX_TRACE_RECORDS)
      throw invalid(
        `Invalid trace ${name}: must be at most ${MAX_TRACE_RECORDS}, trace ${printed(id)} has ${length}`,
      );
}

const parseChildren = <Table extends RecordTable>(
  name: string,
  parser: RecordParser<Table>,
  children: unknown[],
) =>
  children.map((child, index) => {
    try {
      return parseChild(parser, child);
    } catch (error) {
      throw errorAt(`${name}[${index}]`, error);
    }
  });

function parseChild<Table extends RecordTable>(parser: RecordParser<Table>, item: unknown) {
  const sent = fieldsOf(item);
  const child: FieldValues<Table, ParsedTypes> & { source?: RawJson | undefined } = parser.parse(sent);
  child.source = sent[SOURCE];
  return child;
}

function arrayOf(sent: SentFields, name: string): unknown[] {
  const children = sent[name];
  if (!Array.isArray(children)) throw invalid(`Trace ${name} must be an array`);
  return children;
}

/** A value that is not an object has no fields, so its first check fails. */
const fieldsOf = (item: unknown): Sent => (isObject(item) ? item : {});

type Sent = SentFields & { readonly [SOURCE]?: RawJson };

function isObject(value: unknown): value is Sent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
