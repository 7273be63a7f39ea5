import type { DecodedTraces } from "./decoded-request.ts";
import { within } from "./field-error.ts";
import {
  countField,
  field,
  forEachObject,
  idField,
  integerOf,
  type JsonObject,
  objectField,
  textField,
  timeField,
} from "./json-fields.ts";
import { spanIdOf, traceIdOf } from "./otlp-ids.ts";
import type { Attributes, OtlpEvent, OtlpLink, OtlpScope, OtlpSpan } from "./otlp-span.ts";
import { statusCodeOf } from "./otlp-values.ts";
import { readAttributes, readScope } from "./read-json-value.ts";
import { scanJsonRequest } from "./scan-json-request.ts";

const TRACES = { resources: "resourceSpans", scopes: "scopeSpans", items: "spans" };

/** Some senders write enums by name. */
const STATUS_CODES = new Map([
  ["STATUS_CODE_UNSET", 0],
  ["STATUS_CODE_OK", 1],
  ["STATUS_CODE_ERROR", 2],
]);

/** Decodes an ExportTraceServiceRequest in OTLP/JSON. */
export function* decodeJsonTraces(body: Buffer): Generator<undefined, DecodedTraces> {
  const decoded: DecodedTraces = { spans: [], rejected: 0 };
  yield* scanJsonRequest(body, TRACES, (resourceFields) => {
    const resource = within("resource", () => readAttributes(resourceFields));
    return (scopeFields) => {
      const scope = within("scope", () => readScope(scopeFields));
      return (span) => {
        const read = readSpan(span, resource, scope);
        if (read) decoded.spans.push(read);
        else decoded.rejected += 1;
      };
    };
  });
  return decoded;
}

/** Null if an id of the span is invalid. */
function readSpan(span: JsonObject, resource: Attributes, scope: OtlpScope): OtlpSpan | null {
  const status = objectField(span, "status");
  const read = {
    traceState: textField(span, "traceState"),
    name: textField(span, "name"),
    startMs: timeField(span, "startTimeUnixNano"),
    endMs: timeField(span, "endTimeUnixNano"),
    attributes: readAttributes(span),
    events: readEvents(span),
    statusCode: within("status", () => readStatusCode(status)),
    statusMessage: within("status", () => textField(status, "message")),
    droppedAttributes: countField(span, "droppedAttributesCount"),
    links: readLinks(span),
    scope,
    resource,
  };
  const traceId = traceIdOf(idField(span, "traceId"));
  const spanId = spanIdOf(idField(span, "spanId"));
  if (traceId === null || spanId === null) return null;
  return { traceId, spanId, parentSpanId: spanIdOf(idField(span, "parentSpanId")), ...read };
}

function readEvents(span: JsonObject): OtlpEvent[] {
  const events: OtlpEvent[] = [];
  forEachObject(span, "events", (event) => {
    events.push({
      name: textField(event, "name"),
      timeMs: timeField(event, "timeUnixNano"),
      attributes: readAttributes(event),
    });
  });
  return events;
}

/** A link with an invalid id leads nowhere and is left out. */
function readLinks(span: JsonObject): OtlpLink[] {
  const links: OtlpLink[] = [];
  forEachObject(span, "links", (link) => {
    const traceId = traceIdOf(idField(link, "traceId"));
    const spanId = spanIdOf(idField(link, "spanId"));
    const attributes = readAttributes(link);
    if (traceId !== null && spanId !== null) links.push({ traceId, spanId, attributes });
  });
  return links;
}

function readStatusCode(status: JsonObject): number {
  const code = field(status, "code") ?? 0;
  const number = typeof code === "string" ? (STATUS_CODES.get(code) ?? code) : code;
  return statusCodeOf(Number(integerOf(number, "code")));
}
