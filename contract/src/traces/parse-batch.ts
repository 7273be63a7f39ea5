import { BatchError, invalid } from "./batch-error.ts";
import { DECISION_POINT, EVENT, type RecordTable, SPAN, TRACE } from "./fields.ts";
import type { ParsedTrace } from "./parsed-trace.ts";
import { type RawJson, SOURCE } from "./raw-json.ts";
import { RecordParser, type SentFields } from "./record-parser.ts";

/*
 * Checks a batch in the order of the specification: trace by trace as sent; within a trace its own fields, then its
 * decision points, spans and events; within a record first the fields that the specification checks, then the checks that
 * we add. The first failed check is the response.
 */

/** Returns the traces of a request body; throws a BatchError if a check fails. */
export function parseBatch(body: unknown): ParsedTrace[] {
  const steps = parseSteps(body);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the same in steps of one trace, so that the caller can run other work between them. */
export function* parseSteps(body: unknown): Generator<undefined, ParsedTrace[]> {
  const traces = isObject(body) ? body.traces : undefined;
  if (!Array.isArray(traces)) throw invalid("Request body must contain a 'traces' array");
  if (traces.length === 0) throw invalid("Traces array cannot be empty");
  const parsed: ParsedTrace[] = [];
  for (const trace of traces) {
    parsed.push(parseTrace(trace));
    yield;
  }
  for (const { spans, decisionPoints, events } of parsed)
    if ([spans, decisionPoints, events].some(hasDuplicateId))
      throw new BatchError(409, "Duplicate trace ID detected");
  return parsed;
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
  const trace = {
    ...traceParser.complete(sent, required),
    decisionPoints: decisionPoints.map((child) => parseChild(decisionPointParser, child)),
    spans: spans.map((child) => parseChild(spanParser, child)),
    events: events.map((child) => parseChild(eventParser, child)),
  };
  const spanIds = new Set(trace.spans.map((span) => span.id));
  for (const decision of trace.decisionPoints)
    if (decision.parentSpanId !== null && !spanIds.has(decision.parentSpanId)) decision.parentSpanId = null;
  return trace;
}

function parseChild<Table extends RecordTable>(parser: RecordParser<Table>, item: unknown) {
  const sent = fieldsOf(item);
  return Object.assign(parser.parse(sent), { source: sent[SOURCE] });
}

function arrayOf(sent: SentFields, name: string): unknown[] {
  const children = sent[name];
  if (!Array.isArray(children)) throw invalid(`Trace ${name} must be an array`);
  return children;
}

/** Something other than an object has no fields, so its first check fails. */
const fieldsOf = (item: unknown): Sent => (isObject(item) ? item : {});

type Sent = SentFields & { readonly [SOURCE]?: RawJson };

function isObject(value: unknown): value is Sent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
