import { randomBytes } from "node:crypto";
import type { Client, TestResponse } from "./client.ts";

/** Spans and log records as OTLP/JSON; a test overrides the fields it is about. */
export const otlpId = (bytes: 8 | 16) => randomBytes(bytes).toString("hex");
export const OTLP_START_MS = Date.parse("2026-01-02T03:04:05.000Z");
export const nanos = (ms: number) => `${OTLP_START_MS + ms}000000`;

type Value = string | number | boolean | Value[] | { [key: string]: Value };

const anyValue = (value: Value): object => {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === "object") return { kvlistValue: { values: attributes(value) } };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: value };
};

export const attributes = (values: { [key: string]: Value }) =>
  Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));

export const otlpSpan = (
  traceId: string,
  values: { [key: string]: Value } = {},
  overrides: Record<string, unknown> = {},
) => ({
  traceId,
  spanId: otlpId(8),
  name: "work",
  startTimeUnixNano: nanos(0),
  endTimeUnixNano: nanos(100),
  attributes: attributes(values),
  ...overrides,
});
export type OtlpSpanJson = ReturnType<typeof otlpSpan>;

export const spansRequest = (spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
export const logsRequest = (logRecords: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });

/** Sends a request as OTLP/JSON. */
export const sendOtlp = (
  client: Client,
  key: string,
  body: object,
  signal: "traces" | "logs" = "traces",
): Promise<TestResponse> =>
  client.request("POST", `/v1/${signal}`, { body, headers: { authorization: `Bearer ${key}` } });
