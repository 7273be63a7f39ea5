import { RawJson } from "@whytrace/contract";
import type { OtlpEvent, OtlpSpan, OtlpValue } from "../../../packages/server/src/otlp/decode/otlp-span.ts";

type Values = Readonly<Record<string, OtlpValue>>;

/** When spans of tests start, in milliseconds since 1970. */
export const SPAN_START = Date.parse("2026-01-02T03:04:05.000Z");

/** A decoded span of 100 ms with these attributes. */
export const otlpSpan = (attributes: Values = {}, fields: Partial<OtlpSpan> = {}): OtlpSpan => ({
  traceId: "1".repeat(32),
  spanId: "2".repeat(16),
  parentSpanId: null,
  traceState: "",
  name: "work",
  startMs: SPAN_START,
  endMs: SPAN_START + 100,
  attributes: new Map(Object.entries(attributes)),
  events: [],
  statusCode: 0,
  statusMessage: "",
  droppedAttributes: 0,
  links: [],
  scope: { name: "", version: "" },
  resource: new Map(),
  ...fields,
});

export const otlpEvent = (name: string, attributes: Values = {}, timeMs = SPAN_START + 1): OtlpEvent => ({
  name,
  timeMs,
  attributes: new Map(Object.entries(attributes)),
});

/** A payload as it is read back. */
export const storedPayload = (payload: unknown): unknown =>
  payload instanceof RawJson ? JSON.parse(Buffer.from(payload.bytes).toString()) : payload;
