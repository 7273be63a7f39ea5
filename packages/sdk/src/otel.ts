import { activeClient } from "./global-state.ts";
import { otlpJson } from "./otlp-json.ts";
import { currentScope } from "./record.ts";
import type { TraceFormat, TraceOptions } from "./types.ts";

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * Options for a trace that other services take part in: `trace(name, continueTrace(header, options), run)`. The trace
 * has the id of the header, or a new one if there is no valid header. It is sent as OpenTelemetry spans, which the
 * server adds to those of the other services.
 */
export function continueTrace(
  traceparent: string | readonly string[] | null | undefined,
  options: TraceOptions = {},
): TraceOptions {
  const [, version, traceId, parentSpanId] = TRACEPARENT.exec(String(traceparent).trim().toLowerCase()) ?? [];
  const isValid = version !== "ff" && isUsable(traceId) && isUsable(parentSpanId);
  const id = (isValid && traceId) || randomHex(16);
  return { ...options, id, format: otlpFormat(id, isValid ? parentSpanId : undefined) };
}

/** The `traceparent` header of the current span, for requests to other services. */
export function traceparent(): string | undefined {
  const scope = currentScope();
  if (scope && scope.traceparent === undefined && activeClient().isRecording)
    activeClient().report("misuse", "a trace has a traceparent only if it was started with continueTrace(…)");
  return scope?.traceparent;
}

function otlpFormat(traceId: string, parentSpanId: string | undefined): TraceFormat {
  const rootSpanId = randomHex(8);
  return {
    path: "/v1/traces",
    list: "resourceSpans",
    key: `${traceId}-${rootSpanId}`,
    newSpanId: () => randomHex(8),
    traceparent: (spanId) => `00-${traceId}-${spanId ?? rootSpanId}-01`,
    toJson: (trace) => otlpJson(trace, rootSpanId, parentSpanId),
    readResponse,
  };
}

/** An OTLP response has no field, or only `partialSuccess`. */
function readResponse(body: {
  partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown };
}): { refusal?: string } | undefined {
  if (!Object.keys(body).every((field) => field === "partialSuccess")) return undefined;
  const { rejectedSpans, errorMessage } = body.partialSuccess ?? {};
  return Number(rejectedSpans ?? 0) > 0 ? { refusal: String(errorMessage) } : {};
}

/** Ids of zeros are invalid. */
const isUsable = (id: string | undefined) => id !== undefined && /[^0]/.test(id);

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
