import type { DecodedLogs } from "./decoded-request.ts";
import { eventNameOf } from "./event-name-of.ts";
import { spanIdOf, traceIdOf } from "./otlp-ids.ts";
import type { OtlpLogRecord, OtlpScope, OtlpValue } from "./otlp-span.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import { readAttribute, readScope, readValue } from "./read-protobuf-value.ts";

/** Decodes an ExportLogsServiceRequest in one pass. Field numbers are those of opentelemetry/proto/logs/v1/logs.proto. */
export function* decodeProtobufLogs(body: Buffer): Generator<undefined, DecodedLogs> {
  const reader = new ProtobufReader(body);
  const decoded: DecodedLogs = { records: [], rejected: 0 };
  while (reader.next())
    if (reader.field === 1) yield* readResourceLogs(reader, decoded);
    else reader.skip();
  return decoded;
}

function* readResourceLogs(reader: ProtobufReader, decoded: DecodedLogs): Generator<undefined> {
  const outerEnd = reader.enter();
  while (reader.next()) {
    if (reader.field === 2) yield* readScopeLogs(reader, decoded);
    else reader.skip();
    if (reader.isPauseDue()) yield;
  }
  reader.leave(outerEnd);
}

function* readScopeLogs(reader: ProtobufReader, decoded: DecodedLogs): Generator<undefined> {
  const outerEnd = reader.enter();
  // Fields come in any order: records share this object, which may be filled after them.
  const scope: OtlpScope = { name: "", version: "" };
  while (reader.next())
    if (reader.field === 1) readScope(reader, scope);
    else if (reader.field === 2) {
      const record = yield* readLogRecord(reader, scope);
      if (record) decoded.records.push(record);
      else decoded.rejected += 1;
    } else reader.skip();
  reader.leave(outerEnd);
}

/** Null if the record names no trace. */
function* readLogRecord(
  reader: ProtobufReader,
  scope: OtlpScope,
): Generator<undefined, OtlpLogRecord | null> {
  const outerEnd = reader.enter();
  let traceId: string | null = null;
  let spanId: string | null = null;
  let timeMs = 0;
  let observedMs = 0;
  let eventName = "";
  let body: OtlpValue = null;
  const attributes = new Map<string, OtlpValue>();
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        timeMs = reader.timeMs();
        break;
      case 5:
        body = readValue(reader, 1);
        break;
      case 6:
        readAttribute(reader, attributes);
        break;
      case 9:
        traceId = traceIdOf(reader.hex());
        break;
      case 10:
        spanId = spanIdOf(reader.hex());
        break;
      case 11:
        observedMs = reader.timeMs();
        break;
      case 12:
        eventName = reader.text();
        break;
      default:
        reader.skip();
    }
    if (reader.isPauseDue()) yield;
  }
  reader.leave(outerEnd);
  if (traceId === null) return null;
  return {
    traceId,
    spanId,
    timeMs: timeMs || observedMs,
    eventName: eventNameOf(eventName, attributes),
    body,
    attributes,
    scope,
  };
}
