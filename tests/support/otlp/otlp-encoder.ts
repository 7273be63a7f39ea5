/*
 * Encodes requests that are written as OTLP/JSON objects in protobuf. It is written apart from the server's decoder, so
 * that the two check each other.
 */

export type OtlpSignal = "traces" | "logs" | "metrics";

type Kind = "text" | "hex" | "base64" | "bool" | "varint" | "fixed32" | "fixed64" | "double";
type Field = readonly [number: number, kind: Kind | MessageName];
type MessageName =
  | "TracesRequest"
  | "ResourceSpans"
  | "ScopeSpans"
  | "Span"
  | "Event"
  | "Link"
  | "Status"
  | "LogsRequest"
  | "ResourceLogs"
  | "ScopeLogs"
  | "LogRecord"
  | "MetricsRequest"
  | "ResourceMetrics"
  | "ScopeMetrics"
  | "Metric"
  | "Data"
  | "DataPoint"
  | "Resource"
  | "Scope"
  | "KeyValue"
  | "AnyValue"
  | "ArrayValue"
  | "KeyValueList";

const MESSAGES: Readonly<Record<MessageName, Readonly<Record<string, Field>>>> = {
  TracesRequest: { resourceSpans: [1, "ResourceSpans"] },
  ResourceSpans: { resource: [1, "Resource"], scopeSpans: [2, "ScopeSpans"], schemaUrl: [3, "text"] },
  ScopeSpans: { scope: [1, "Scope"], spans: [2, "Span"], schemaUrl: [3, "text"] },
  Span: {
    traceId: [1, "hex"],
    spanId: [2, "hex"],
    traceState: [3, "text"],
    parentSpanId: [4, "hex"],
    name: [5, "text"],
    kind: [6, "varint"],
    startTimeUnixNano: [7, "fixed64"],
    endTimeUnixNano: [8, "fixed64"],
    attributes: [9, "KeyValue"],
    droppedAttributesCount: [10, "varint"],
    events: [11, "Event"],
    droppedEventsCount: [12, "varint"],
    links: [13, "Link"],
    droppedLinksCount: [14, "varint"],
    status: [15, "Status"],
    flags: [16, "fixed32"],
  },
  Event: {
    timeUnixNano: [1, "fixed64"],
    name: [2, "text"],
    attributes: [3, "KeyValue"],
    droppedAttributesCount: [4, "varint"],
  },
  Link: {
    traceId: [1, "hex"],
    spanId: [2, "hex"],
    traceState: [3, "text"],
    attributes: [4, "KeyValue"],
    droppedAttributesCount: [5, "varint"],
    flags: [6, "fixed32"],
  },
  Status: { message: [2, "text"], code: [3, "varint"] },
  LogsRequest: { resourceLogs: [1, "ResourceLogs"] },
  ResourceLogs: { resource: [1, "Resource"], scopeLogs: [2, "ScopeLogs"] },
  ScopeLogs: { scope: [1, "Scope"], logRecords: [2, "LogRecord"] },
  LogRecord: {
    timeUnixNano: [1, "fixed64"],
    severityNumber: [2, "varint"],
    severityText: [3, "text"],
    body: [5, "AnyValue"],
    attributes: [6, "KeyValue"],
    droppedAttributesCount: [7, "varint"],
    flags: [8, "fixed32"],
    traceId: [9, "hex"],
    spanId: [10, "hex"],
    observedTimeUnixNano: [11, "fixed64"],
    eventName: [12, "text"],
  },
  MetricsRequest: { resourceMetrics: [1, "ResourceMetrics"] },
  ResourceMetrics: { resource: [1, "Resource"], scopeMetrics: [2, "ScopeMetrics"] },
  ScopeMetrics: { scope: [1, "Scope"], metrics: [2, "Metric"] },
  Metric: { name: [1, "text"], gauge: [5, "Data"], sum: [7, "Data"], histogram: [9, "Data"] },
  Data: { dataPoints: [1, "DataPoint"] },
  DataPoint: { timeUnixNano: [3, "fixed64"], asDouble: [4, "double"], asInt: [6, "fixed64"] },
  Resource: { attributes: [1, "KeyValue"], droppedAttributesCount: [2, "varint"] },
  Scope: { name: [1, "text"], version: [2, "text"], attributes: [3, "KeyValue"] },
  KeyValue: { key: [1, "text"], value: [2, "AnyValue"] },
  AnyValue: {
    stringValue: [1, "text"],
    boolValue: [2, "bool"],
    intValue: [3, "varint"],
    doubleValue: [4, "double"],
    arrayValue: [5, "ArrayValue"],
    kvlistValue: [6, "KeyValueList"],
    bytesValue: [7, "base64"],
  },
  ArrayValue: { values: [1, "AnyValue"] },
  KeyValueList: { values: [1, "KeyValue"] },
};

const REQUESTS: Readonly<Record<OtlpSignal, MessageName>> = {
  traces: "TracesRequest",
  logs: "LogsRequest",
  metrics: "MetricsRequest",
};

const WIRE_TYPES: Readonly<Record<Kind, number>> = {
  varint: 0,
  bool: 0,
  fixed64: 1,
  double: 1,
  text: 2,
  hex: 2,
  base64: 2,
  fixed32: 5,
};

/** The protobuf of a request that is written as an OTLP/JSON object. Fields that are not in the table are left out. */
export const encodeOtlp = (request: object, signal: OtlpSignal = "traces"): Buffer =>
  encodeMessage(REQUESTS[signal], request);

function encodeMessage(message: MessageName, value: object): Buffer {
  const parts: Buffer[] = [];
  for (const [name, items] of Object.entries(value)) {
    const field = MESSAGES[message][name];
    if (!field || items === null || items === undefined) continue;
    for (const item of Array.isArray(items) ? items : [items]) parts.push(...encodeField(field, item));
  }
  return Buffer.concat(parts);
}

function encodeField([number, kind]: Field, value: unknown): Buffer[] {
  if (isMessage(kind)) {
    if (typeof value !== "object" || value === null) throw new Error(`${kind} must be an object`);
    return lengthDelimited(number, encodeMessage(kind, value));
  }
  const tag = varint((number << 3) | WIRE_TYPES[kind]);
  switch (kind) {
    case "varint":
      return [tag, varint(unsigned(value))];
    case "bool":
      return [tag, varint(value === true ? 1 : 0)];
    case "fixed32":
    case "fixed64":
    case "double":
      return [tag, fixed(kind, value)];
    default:
      return lengthDelimited(number, Buffer.from(String(value), kind === "text" ? "utf8" : kind));
  }
}

const isMessage = (kind: Kind | MessageName): kind is MessageName => kind in MESSAGES;

function fixed(kind: "fixed32" | "fixed64" | "double", value: unknown): Buffer {
  const bytes = Buffer.alloc(kind === "fixed32" ? 4 : 8);
  if (kind === "fixed32") bytes.writeUInt32LE(Number(value));
  else if (kind === "double") bytes.writeDoubleLE(Number(value));
  else bytes.writeBigUInt64LE(BigInt(String(value)));
  return bytes;
}

/** A field of bytes, text or a message. */
export const lengthDelimited = (field: number, bytes: Buffer): Buffer[] => [
  varint((field << 3) | 2),
  varint(bytes.length),
  bytes,
];

/** A BigInt only where a number would not do: they are slow, and benchmarks encode millions of fields. */
function unsigned(value: unknown): number | bigint {
  const number = Number(value);
  return number >= 0 && Number.isSafeInteger(number) ? number : BigInt.asUintN(64, BigInt(String(value)));
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  if (typeof value === "bigint") {
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
  } else {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}
