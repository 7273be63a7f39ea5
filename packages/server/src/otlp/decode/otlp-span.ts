/** A value of an attribute, as JSON: an AnyValue without its wrapper. Bytes are base64 text; an empty value is null. */
export type OtlpValue =
  | string
  | number
  | boolean
  | null
  | OtlpValue[]
  | { readonly [key: string]: OtlpValue };

export type Attributes = ReadonlyMap<string, OtlpValue>;

/** The instrumentation library that made a span. */
export interface OtlpScope {
  name: string;
  version: string;
}

export interface OtlpEvent {
  name: string;
  timeMs: number;
  attributes: Attributes;
}

/** A span with valid ids, in lower-case hexadecimal. Times are milliseconds since 1970, with their fraction. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  /** Null for a root. */
  parentSpanId: string | null;
  /** The W3C header tracestate. */
  traceState: string;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  events: OtlpEvent[];
  /** 0 unset, 1 ok, 2 error. */
  statusCode: number;
  statusMessage: string;
  /** Attributes that the sender's SDK left out, because a span had too many. */
  droppedAttributes: number;
  links: OtlpLink[];
  scope: OtlpScope;
  /** The attributes of the process that sent the span. */
  resource: Attributes;
}

export interface OtlpLink {
  traceId: string;
  spanId: string;
  attributes: Attributes;
}

/** A log record that names a trace. */
export interface OtlpLogRecord {
  traceId: string;
  /** Null if it names no span. */
  spanId: string | null;
  timeMs: number;
  /** The field of this name, or the attribute `event.name`; empty if it has neither. */
  eventName: string;
  body: OtlpValue;
  attributes: Attributes;
  scope: OtlpScope;
}
