import type { OtlpEncoding } from "./decode/read-otlp.ts";

/*
 * Bodies of responses, in the encoding of the request: ExportTraceServiceResponse and its two siblings, which differ only
 * in a JSON name, and google.rpc.Status for errors.
 */

type OtlpSignal = "traces" | "logs" | "metrics";

interface PartialSuccess {
  /** How many spans, log records or data points are not kept. */
  rejected: number;
  /** What the sender should know, also if nothing is rejected. */
  message: string;
}

export const CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: "application/x-protobuf",
  json: "application/json",
};

const REJECTED_NAMES: Readonly<Record<OtlpSignal, string>> = {
  traces: "rejectedSpans",
  logs: "rejectedLogRecords",
  metrics: "rejectedDataPoints",
};

/** Codes of google.rpc.Code by HTTP status. */
const RPC_CODES = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 5],
  [408, 4],
  [413, 3],
  [415, 3],
  [429, 8],
  [503, 14],
]);
const INTERNAL = 13;

/** Without a message and rejected items, the response is empty: all is kept. */
export function successBody(
  signal: OtlpSignal,
  encoding: OtlpEncoding,
  { rejected, message }: PartialSuccess = { rejected: 0, message: "" },
): Buffer {
  const isPartial = rejected > 0 || message !== "";
  if (encoding === "json") {
    // 64-bit numbers are strings in the JSON of protobuf.
    const partialSuccess = { [REJECTED_NAMES[signal]]: String(rejected), errorMessage: message };
    return Buffer.from(JSON.stringify(isPartial ? { partialSuccess } : {}));
  }
  return isPartial ? bytesField(1, Buffer.concat([varintField(1, rejected), textField(2, message)])) : EMPTY;
}

/** A google.rpc.Status: code and message. */
export function statusBody(httpStatus: number, message: string, encoding: OtlpEncoding): Buffer {
  const code = RPC_CODES.get(httpStatus) ?? INTERNAL;
  if (encoding === "json") return Buffer.from(JSON.stringify({ code, message }));
  return Buffer.concat([varintField(1, code), textField(2, message)]);
}

const EMPTY = Buffer.alloc(0);

/** Fields with their default are not written. */
const varintField = (field: number, value: number) =>
  value === 0 ? EMPTY : Buffer.from([field << 3, ...varint(value)]);
const textField = (field: number, text: string) =>
  text === "" ? EMPTY : bytesField(field, Buffer.from(text));
const bytesField = (field: number, bytes: Buffer) =>
  Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes]);

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}
