import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { HttpError } from "../../http/http-error.ts";
import { JsonLimitError, JsonSyntaxError } from "../../ingest/json-errors.ts";
import { countJsonDataPoints } from "./count-json-data-points.ts";
import { countProtobufDataPoints } from "./count-protobuf-data-points.ts";
import { decodeJsonLogs } from "./decode-json-logs.ts";
import { decodeJsonTraces } from "./decode-json-traces.ts";
import { decodeProtobufLogs } from "./decode-protobuf-logs.ts";
import { decodeProtobufTraces } from "./decode-protobuf-traces.ts";
import type { DecodedLogs, DecodedTraces } from "./decoded-request.ts";
import { FieldError } from "./field-error.ts";

/** How a request is encoded. Its response is encoded in the same way. */
export type OtlpEncoding = "protobuf" | "json";

/** Why items of a request are not kept; empty if all are. */
interface Rejection {
  reason: string;
}

/** The spans of a request. A body that cannot be decoded is a 400; a span with an invalid id is left out and counted. */
export async function readTraces(body: Buffer, encoding: OtlpEncoding): Promise<DecodedTraces & Rejection> {
  const decoded = await decode(encoding === "json" ? decodeJsonTraces(body) : decodeProtobufTraces(body));
  const { rejected } = decoded;
  const reason =
    rejected === 0
      ? ""
      : `${rejected} ${rejected === 1 ? "span has" : "spans have"} an invalid trace or span id`;
  return { ...decoded, reason };
}

/** The log records of a request that name a trace. */
export async function readLogs(body: Buffer, encoding: OtlpEncoding): Promise<DecodedLogs & Rejection> {
  const decoded = await decode(encoding === "json" ? decodeJsonLogs(body) : decodeProtobufLogs(body));
  const { rejected } = decoded;
  const reason =
    rejected === 0
      ? ""
      : `${rejected} log ${rejected === 1 ? "record has" : "records have"} no valid trace id`;
  return { ...decoded, reason };
}

/** Metrics are not kept: returns how many data points the request has. */
export async function checkMetrics(body: Buffer, encoding: OtlpEncoding): Promise<number> {
  return decode(encoding === "json" ? countJsonDataPoints(body) : countProtobufDataPoints(body));
}

async function decode<T>(steps: Generator<undefined, T>): Promise<T> {
  try {
    return await runInTimeSlices(steps);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, "Invalid JSON in request body");
    if (error instanceof JsonLimitError) throw new HttpError(400, error.message);
    if (error instanceof FieldError) throw new HttpError(400, `Invalid OTLP request: ${error.text}`);
    throw error;
  }
}
