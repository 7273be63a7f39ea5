import type { DecodedTraces } from "./decoded-request.ts";
import { spanIdOf, traceIdOf } from "./otlp-ids.ts";
import type { OtlpEvent, OtlpLink, OtlpScope, OtlpSpan, OtlpValue } from "./otlp-span.ts";
import { statusCodeOf } from "./otlp-values.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import { readAttribute, readResource, readScope } from "./read-protobuf-value.ts";

/*
 * Decodes an ExportTraceServiceRequest in one pass. Field numbers are those of opentelemetry/proto/trace/v1/trace.proto.
 * Fields come in any order: spans share the objects of their resource and scope, which may be filled after the spans.
 */

type MutableAttributes = Map<string, OtlpValue>;

export function* decodeProtobufTraces(body: Buffer): Generator<undefined, DecodedTraces> {
  const reader = new ProtobufReader(body);
  const decoded: DecodedTraces = { spans: [], rejected: 0 };
  while (reader.next())
    if (reader.field === 1) yield* readResourceSpans(reader, decoded);
    else reader.skip();
  return decoded;
}

function* readResourceSpans(reader: ProtobufReader, decoded: DecodedTraces): Generator<undefined> {
  const outerEnd = reader.enter();
  const resource: MutableAttributes = new Map();
  while (reader.next()) {
    if (reader.field === 1) readResource(reader, resource);
    else if (reader.field === 2) yield* readScopeSpans(reader, resource, decoded);
    else reader.skip();
    if (reader.isPauseDue()) yield;
  }
  reader.leave(outerEnd);
}

function* readScopeSpans(
  reader: ProtobufReader,
  resource: MutableAttributes,
  decoded: DecodedTraces,
): Generator<undefined> {
  const outerEnd = reader.enter();
  const scope: OtlpScope = { name: "", version: "" };
  while (reader.next())
    if (reader.field === 1) readScope(reader, scope);
    else if (reader.field === 2) {
      const span = yield* readSpan(reader, resource, scope);
      if (span) decoded.spans.push(span);
      else decoded.rejected += 1;
    } else reader.skip();
  reader.leave(outerEnd);
}

/** Null if an id of the span is invalid. */
function* readSpan(
  reader: ProtobufReader,
  resource: MutableAttributes,
  scope: OtlpScope,
): Generator<undefined, OtlpSpan | null> {
  const outerEnd = reader.enter();
  let traceId: string | null = null;
  let spanId: string | null = null;
  let parentSpanId: string | null = null;
  let traceState = "";
  let name = "";
  let startMs = 0;
  let endMs = 0;
  let droppedAttributes = 0;
  const attributes: MutableAttributes = new Map();
  const events: OtlpEvent[] = [];
  const links: OtlpLink[] = [];
  const status = { code: 0, message: "" };
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        traceId = traceIdOf(reader.hex());
        break;
      case 2:
        spanId = spanIdOf(reader.hex());
        break;
      case 3:
        traceState = reader.text();
        break;
      case 4:
        parentSpanId = spanIdOf(reader.hex());
        break;
      case 5:
        name = reader.text();
        break;
      case 7:
        startMs = reader.timeMs();
        break;
      case 8:
        endMs = reader.timeMs();
        break;
      case 9:
        readAttribute(reader, attributes);
        break;
      case 10:
        droppedAttributes = reader.uint32();
        break;
      case 11:
        events.push(readEvent(reader));
        break;
      case 13:
        readLink(reader, links);
        break;
      case 15:
        readStatus(reader, status);
        break;
      default:
        reader.skip();
    }
    if (reader.isPauseDue()) yield;
  }
  reader.leave(outerEnd);
  if (traceId === null || spanId === null) return null;
  return {
    traceId,
    spanId,
    parentSpanId,
    traceState,
    name,
    startMs,
    endMs,
    attributes,
    events,
    statusCode: status.code,
    statusMessage: status.message,
    droppedAttributes,
    links,
    scope,
    resource,
  };
}

function readEvent(reader: ProtobufReader): OtlpEvent {
  const outerEnd = reader.enter();
  const attributes: MutableAttributes = new Map();
  const event: OtlpEvent = { name: "", timeMs: 0, attributes };
  while (reader.next())
    if (reader.field === 1) event.timeMs = reader.timeMs();
    else if (reader.field === 2) event.name = reader.text();
    else if (reader.field === 3) readAttribute(reader, attributes);
    else reader.skip();
  reader.leave(outerEnd);
  return event;
}

/** Adds the link, unless an id of it is invalid: it then leads nowhere. */
function readLink(reader: ProtobufReader, links: OtlpLink[]) {
  const outerEnd = reader.enter();
  let traceId: string | null = null;
  let spanId: string | null = null;
  const attributes: MutableAttributes = new Map();
  while (reader.next())
    if (reader.field === 1) traceId = traceIdOf(reader.hex());
    else if (reader.field === 2) spanId = spanIdOf(reader.hex());
    else if (reader.field === 4) readAttribute(reader, attributes);
    else reader.skip();
  reader.leave(outerEnd);
  if (traceId !== null && spanId !== null) links.push({ traceId, spanId, attributes });
}

function readStatus(reader: ProtobufReader, status: { code: number; message: string }) {
  const outerEnd = reader.enter();
  while (reader.next())
    if (reader.field === 2) status.message = reader.text();
    else if (reader.field === 3) status.code = statusCodeOf(reader.uint32());
    else reader.skip();
  reader.leave(outerEnd);
}
