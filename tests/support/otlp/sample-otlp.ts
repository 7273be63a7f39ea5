import { randomBytes } from "node:crypto";
import type { Client, TestResponse } from "../server/client.ts";
import { otlpAttributes } from "./otlp-samples.ts";

/** Spans and log records as OTLP/JSON; a test overrides the fields it is about. */
export const otlpId = (bytes: 8 | 16) => randomBytes(bytes).toString("hex");
export const OTLP_START_MS = Date.parse("2026-01-02T03:04:05.000Z");
export const nanos = (ms: number) => `${OTLP_START_MS + ms}000000`;

export const otlpSpan = (traceId: string, values: object = {}, overrides: Record<string, unknown> = {}) => ({
  traceId,
  spanId: otlpId(8),
  name: "work",
  startTimeUnixNano: nanos(0),
  endTimeUnixNano: nanos(100),
  attributes: otlpAttributes(values),
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
