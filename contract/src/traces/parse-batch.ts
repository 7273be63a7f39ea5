import { parseInstant } from "./parse-instant.ts";
import { RawJson, SOURCE } from "./raw-json.ts";
import {
  DECISION_POINT_TYPES,
  EVENT_TYPES,
  type ParsedDecisionPoint,
  type ParsedEvent,
  type ParsedSpan,
  type ParsedTrace,
  SPAN_TYPES,
  STATUSES,
} from "./trace.ts";

/*
 * The checks of a batch, in the specification's order and words: trace by trace as sent; within a trace its own
 * fields, then its decision points, spans and events; within a record first what the specification checks, then
 * what we check beyond it. The first fault is the answer.
 */

/** Of ids, sessionId and references to ids. */
export const ID_MAX_BYTES = 1_024;
export const NAME_MAX_BYTES = 16 * 1_024;
export const TAG_MAX_BYTES = 1_024;
export const TAGS_MAX = 1_000;
const PRINTED_LENGTH = 100;

/** A batch that cannot be taken: `status` and text are the answer. */
export class BatchError extends Error {
  override name = "BatchError";
  readonly status: 400 | 409;

  constructor(status: 400 | 409, text: string) {
    super(text);
    this.status = status;
  }
}

/** The traces of a request body, checked; throws a BatchError with the first fault. */
export function parseBatch(body: unknown): ParsedTrace[] {
  const steps = parseSteps(body);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Pauses after every trace: whoever runs it may let others have their turn meanwhile. */
export function* parseSteps(body: unknown): Generator<undefined, ParsedTrace[]> {
  const traces = isRecord(body) ? body.traces : undefined;
  if (!Array.isArray(traces)) throw fault("Request body must contain a 'traces' array");
  if (traces.length === 0) throw fault("Traces array cannot be empty");
  const parsed: ParsedTrace[] = [];
  for (const trace of traces) {
    parsed.push(parseTrace(trace));
    yield;
  }
  for (const trace of parsed)
    if ([trace.spans, trace.decisionPoints, trace.events].some(hasTwins))
      throw new BatchError(409, "Duplicate trace ID detected");
  return parsed;
}

const hasTwins = (children: { id: string }[]) =>
  children.length > 1 && new Set(children.map((child) => child.id)).size < children.length;

type Fields = Readonly<Record<string, unknown>> & { readonly [SOURCE]?: RawJson };

function parseTrace(item: unknown): ParsedTrace {
  const fields = fieldsOf(item);
  const id = nonEmpty(fields.id) ?? refuse("Each trace must have a valid 'id' (string)");
  const name = nonEmpty(fields.name) ?? refuse("Each trace must have a valid 'name' (string)");
  const startedAt =
    instant(fields.startedAt) ?? refuse("Each trace must have a valid 'startedAt' (ISO date string)");
  const status = oneOf(STATUSES, fields.status) ?? refuse(`Invalid trace status: ${printed(fields.status)}`);
  const tags = list(fields.tags) ?? refuse("Trace tags must be an array");
  const decisionPoints = list(fields.decisionPoints) ?? refuse("Trace decisionPoints must be an array");
  const spans = list(fields.spans) ?? refuse("Trace spans must be an array");
  const events = list(fields.events) ?? refuse("Trace events must be an array");
  const own = {
    id: keptId(id, "trace", "id"),
    name: keptName(name, "trace"),
    sessionId: reference(fields, "trace", "sessionId"),
    status,
    tags: keptTags(tags),
    metadata: payload(fields.metadata),
    totalCost: amount(fields, "trace", "totalCost"),
    totalTokens: amount(fields, "trace", "totalTokens"),
    totalDuration: amount(fields, "trace", "totalDuration"),
    startedAt,
    endedAt: endInstant(fields, "trace"),
  };
  const decisions = decisionPoints.map(parseDecisionPoint);
  const parsedSpans = spans.map(parseSpan);
  const parsedEvents = events.map(parseEvent);
  const spanIds = new Set(parsedSpans.map((span) => span.id));
  for (const decision of decisions)
    if (decision.parentSpanId !== null && !spanIds.has(decision.parentSpanId)) decision.parentSpanId = null;
  return { ...own, decisionPoints: decisions, spans: parsedSpans, events: parsedEvents };
}

function parseDecisionPoint(item: unknown): ParsedDecisionPoint {
  const fields = fieldsOf(item);
  const id = nonEmpty(fields.id) ?? refuse("Each decision point must have a valid 'id' (string)");
  const type =
    oneOf(DECISION_POINT_TYPES, fields.type) ??
    refuse(`Invalid decision point type: ${printed(fields.type)}`);
  const timestamp =
    instant(fields.timestamp) ??
    refuse("Each decision point must have a valid 'timestamp' (ISO date string)");
  if (!isArrayPayload(fields.alternatives)) throw fault("Decision point alternatives must be an array");
  return {
    id: keptId(id, "decision point", "id"),
    source: fields[SOURCE],
    type,
    reasoning: text(fields, "decision point", "reasoning"),
    chosen: payload(fields.chosen),
    alternatives: fields.alternatives,
    contextSnapshot: payload(fields.contextSnapshot),
    durationMs: amount(fields, "decision point", "durationMs"),
    costUsd: amount(fields, "decision point", "costUsd"),
    parentSpanId: reference(fields, "decision point", "parentSpanId"),
    timestamp,
  };
}

function parseSpan(item: unknown): ParsedSpan {
  const fields = fieldsOf(item);
  const id = nonEmpty(fields.id) ?? refuse("Each span must have a valid 'id' (string)");
  const name = nonEmpty(fields.name) ?? refuse("Each span must have a valid 'name' (string)");
  const type = oneOf(SPAN_TYPES, fields.type) ?? refuse(`Invalid span type: ${printed(fields.type)}`);
  const startedAt =
    instant(fields.startedAt) ?? refuse("Each span must have a valid 'startedAt' (ISO date string)");
  const status = oneOf(STATUSES, fields.status) ?? refuse(`Invalid span status: ${printed(fields.status)}`);
  return {
    id: keptId(id, "span", "id"),
    source: fields[SOURCE],
    parentSpanId: reference(fields, "span", "parentSpanId"),
    name: keptName(name, "span"),
    type,
    input: payload(fields.input),
    output: payload(fields.output),
    tokenCount: amount(fields, "span", "tokenCount"),
    costUsd: amount(fields, "span", "costUsd"),
    durationMs: amount(fields, "span", "durationMs"),
    status,
    statusMessage: text(fields, "span", "statusMessage"),
    startedAt,
    endedAt: endInstant(fields, "span"),
    metadata: payload(fields.metadata),
  };
}

function parseEvent(item: unknown): ParsedEvent {
  const fields = fieldsOf(item);
  const id = nonEmpty(fields.id) ?? refuse("Each event must have a valid 'id' (string)");
  const name = nonEmpty(fields.name) ?? refuse("Each event must have a valid 'name' (string)");
  const type = oneOf(EVENT_TYPES, fields.type) ?? refuse(`Invalid event type: ${printed(fields.type)}`);
  const timestamp =
    instant(fields.timestamp) ?? refuse("Each event must have a valid 'timestamp' (ISO date string)");
  return {
    id: keptId(id, "event", "id"),
    source: fields[SOURCE],
    spanId: reference(fields, "event", "spanId"),
    type,
    name: keptName(name, "event"),
    metadata: payload(fields.metadata),
    timestamp,
  };
}

const fault = (words: string) => new BatchError(400, words);
const refuse = (words: string): never => {
  throw fault(words);
};

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is no object has no fields, and so fails its first check. */
const fieldsOf = (item: unknown): Fields => (isRecord(item) ? item : {});

const nonEmpty = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const list = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);
const instant = (value: unknown) => (typeof value === "string" ? parseInstant(value) : undefined);
const oneOf = <T extends string>(allowed: readonly T[], value: unknown) =>
  allowed.find((one) => one === value);
const isArrayPayload = (value: unknown) =>
  Array.isArray(value) || (value instanceof RawJson && value.bytes[0] === 0x5b);
const payload = (value: unknown) => value ?? null;

/** A value as JavaScript prints it, cut at 100 characters, whatever it is and however large. */
function printed(value: unknown): string {
  if (Array.isArray(value)) return printedList(value);
  try {
    return String(value).slice(0, PRINTED_LENGTH);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function printedList(items: unknown[]): string {
  let text = "";
  for (const [index, item] of items.entries()) {
    text += (index > 0 ? "," : "") + (item === null ? "" : printed(item));
    if (text.length >= PRINTED_LENGTH) break;
  }
  return text.slice(0, PRINTED_LENGTH);
}

function amount(fields: Fields, record: string, field: string): number | null {
  const value = fields[field];
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw fault(`Invalid ${record} ${field}: must be a finite number that a double can hold, or null`);
}

function text(fields: Fields, record: string, field: string): string | null {
  const value = fields[field];
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return storable(value);
  throw fault(`Invalid ${record} ${field}: must be a string or null`);
}

function endInstant(fields: Fields, record: string): number | null {
  const value = fields.endedAt;
  if (value === undefined || value === null) return null;
  return instant(value) ?? refuse(`Invalid ${record} endedAt: must be an ISO date string or null`);
}

/** An id of something else, or sessionId: kept to the letter or refused. */
function reference(fields: Fields, record: string, field: string): string | null {
  const value = fields[field];
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return keptId(value, record, field);
  throw fault(`Invalid ${record} ${field}: must be a string or null`);
}

function keptId(id: string, record: string, field: string): string {
  if (isLonger(id, ID_MAX_BYTES))
    throw fault(`Invalid ${record} ${field}: must have at most ${ID_MAX_BYTES} bytes`);
  if (!isStorable(id)) throw fault(`Invalid ${record} ${field}: must not contain NUL or a lone surrogate`);
  return id;
}

function keptName(name: string, record: string): string {
  if (isLonger(name, NAME_MAX_BYTES))
    throw fault(`Invalid ${record} name: must have at most ${NAME_MAX_BYTES} bytes`);
  return storable(name);
}

function keptTags(tags: unknown[]): string[] {
  if (tags.length > TAGS_MAX) throw fault(`Invalid trace tags: must be at most ${TAGS_MAX}`);
  return tags.map((tag) => {
    if (typeof tag !== "string") throw fault("Invalid trace tags: each must be a string");
    if (isLonger(tag, TAG_MAX_BYTES))
      throw fault(`Invalid trace tags: each must have at most ${TAG_MAX_BYTES} bytes`);
    return storable(tag);
  });
}

/** PostgreSQL's text holds neither NUL nor half a surrogate pair. */
const isStorable = (value: string) => value.isWellFormed() && !value.includes("\0");
const storable = (value: string) =>
  isStorable(value) ? value : value.toWellFormed().replaceAll("\0", "\uFFFD");

const encoder = new TextEncoder();
/** In UTF-8 a UTF-16 unit has one byte at least and three at the most: few strings need counting. */
const isLonger = (value: string, maxBytes: number) =>
  value.length > maxBytes || (value.length * 3 > maxBytes && encoder.encode(value).length > maxBytes);
