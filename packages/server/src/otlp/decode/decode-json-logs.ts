import type { DecodedLogs } from "./decoded-request.ts";
import { eventNameOf } from "./event-name-of.ts";
import { within } from "./field-error.ts";
import { idField, type JsonObject, textField, timeField } from "./json-fields.ts";
import { spanIdOf, traceIdOf } from "./otlp-ids.ts";
import type { OtlpLogRecord, OtlpScope } from "./otlp-span.ts";
import { readAttributes, readScope, valueField } from "./read-json-value.ts";
import { scanJsonRequest } from "./scan-json-request.ts";

const LOGS = { resources: "resourceLogs", scopes: "scopeLogs", items: "logRecords" };

/** Decodes an ExportLogsServiceRequest in OTLP/JSON. */
export function* decodeJsonLogs(body: Buffer): Generator<undefined, DecodedLogs> {
  const decoded: DecodedLogs = { records: [], rejected: 0 };
  yield* scanJsonRequest(body, LOGS, () => (scopeFields) => {
    const scope = within("scope", () => readScope(scopeFields));
    return (fields) => {
      const record = readLogRecord(fields, scope);
      if (record) decoded.records.push(record);
      else decoded.rejected += 1;
    };
  });
  return decoded;
}

/** Null if the record names no trace. */
function readLogRecord(fields: JsonObject, scope: OtlpScope): OtlpLogRecord | null {
  const attributes = readAttributes(fields);
  const record = {
    timeMs: timeField(fields, "timeUnixNano") || timeField(fields, "observedTimeUnixNano"),
    eventName: eventNameOf(textField(fields, "eventName"), attributes),
    body: valueField(fields, "body", 1),
    attributes,
    scope,
  };
  const traceId = traceIdOf(idField(fields, "traceId"));
  const spanId = spanIdOf(idField(fields, "spanId"));
  return traceId === null ? null : { traceId, spanId, ...record };
}
