import type { DecisionPayload, EventPayload, SpanPayload, TracePayload } from "./payload.ts";

const SCOPE = "@whytrace/sdk";
const INTERNAL_KIND = 1;
const ERROR_CODE = 2;

type Attributes = Record<string, unknown>;

/**
 * A trace as ResourceSpans of OTLP/JSON. The trace itself becomes a span below the caller's. A span without an end
 * cannot be sent, so the spans of a running trace follow as they end, and the trace's own span comes last.
 */
export function otlpJson(trace: TracePayload, rootSpanId: string, parentSpanId: string | undefined): unknown {
  const events = eventsBySpan(trace);
  const spans = trace.spans
    .filter(({ endedAt }) => endedAt !== undefined)
    .map((span) => ({
      ...spanJson(trace.id, span, span.parentSpanId ?? rootSpanId),
      attributes: toAttributes(spanAttributes(span)),
      events: events.get(span.id) ?? [],
    }));
  if (trace.status !== "RUNNING")
    spans.push({
      ...spanJson(trace.id, { ...trace, id: rootSpanId, durationMs: trace.totalDuration }, parentSpanId),
      attributes: toAttributes(traceAttributes(trace)),
      events: events.get(undefined) ?? [],
    });
  return { scopeSpans: [{ scope: { name: SCOPE }, spans }] };
}

type Timed = Pick<SpanPayload, "id" | "name" | "status" | "statusMessage" | "startedAt"> & {
  durationMs?: number | undefined;
};

const spanJson = (
  traceId: string,
  { id, name, status, statusMessage, startedAt, durationMs = 0 }: Timed,
  parentSpanId: string | undefined,
) => ({
  traceId,
  spanId: id,
  parentSpanId,
  name,
  kind: INTERNAL_KIND,
  startTimeUnixNano: nanoseconds(Date.parse(startedAt)),
  endTimeUnixNano: nanoseconds(Date.parse(startedAt) + durationMs),
  status: status === "ERROR" ? { code: ERROR_CODE, message: statusMessage } : { message: statusMessage },
});

/** A number cannot hold today's nanoseconds exactly. */
function nanoseconds(ms: number): string {
  const wholeMs = Math.floor(ms);
  return `${wholeMs}${String(Math.floor((ms - wholeMs) * 1e6)).padStart(6, "0")}`;
}

function spanAttributes({ type, input, output, tokenCount, costUsd, metadata }: SpanPayload): Attributes {
  const { model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, ...others } =
    asObject(metadata);
  const isCounted = inputTokens !== undefined || outputTokens !== undefined;
  return {
    ...others,
    "whytrace.span.type": type,
    "input.value": input,
    "output.value": output,
    "gen_ai.response.model": model,
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": reasoningTokens,
    "gen_ai.usage.total_tokens": isCounted ? undefined : tokenCount,
    "gen_ai.usage.cost": costUsd,
  };
}

const traceAttributes = ({
  sessionId,
  tags,
  metadata,
  totalCost,
  totalTokens,
  sampleProbability,
}: TracePayload): Attributes => ({
  ...asObject(metadata),
  "whytrace.span.type": "AGENT",
  "session.id": sessionId,
  "tag.tags": tags.length > 0 ? tags : undefined,
  "gen_ai.usage.total_tokens": totalTokens,
  "gen_ai.usage.cost": totalCost,
  "sampling.probability": sampleProbability,
});

interface OtlpEvent {
  name: string;
  timeUnixNano: string;
  attributes: unknown[];
}

/** Decisions and events belong to a span; those of the trace itself are under undefined. */
function eventsBySpan({ decisionPoints, events }: TracePayload): Map<string | undefined, OtlpEvent[]> {
  const found = new Map<string | undefined, OtlpEvent[]>();
  const add = (spanId: string | undefined, name: string, timestamp: string, attributes: Attributes) => {
    const list = found.get(spanId) ?? [];
    found.set(spanId, list);
    list.push({
      name,
      timeUnixNano: nanoseconds(Date.parse(timestamp)),
      attributes: toAttributes(attributes),
    });
  };
  for (const decision of decisionPoints)
    add(decision.parentSpanId, "whytrace.decision", decision.timestamp, decisionAttributes(decision));
  for (const event of events) add(event.spanId, event.name, event.timestamp, eventAttributes(event));
  return found;
}

const decisionAttributes = (decision: DecisionPayload): Attributes => ({
  "whytrace.decision.type": decision.type,
  "whytrace.decision.chosen": decision.chosen,
  "whytrace.decision.alternatives": decision.alternatives,
  "whytrace.decision.reasoning": decision.reasoning,
  "whytrace.decision.context": decision.contextSnapshot,
  "whytrace.decision.cost_usd": decision.costUsd,
  "whytrace.decision.duration_ms": decision.durationMs,
  "whytrace.decision.probability": decision.probability,
});

const eventAttributes = ({ type, metadata }: EventPayload): Attributes => ({
  ...(isObject(metadata) ? metadata : { metadata }),
  "whytrace.event.type": type,
});

function toAttributes(values: Attributes): unknown[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

/** Null is an empty value. */
function toAnyValue(value: unknown): unknown {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } };
  if (isObject(value))
    return {
      kvlistValue: { values: Object.entries(value).map(([key, one]) => ({ key, value: toAnyValue(one) })) },
    };
  return {};
}

const isObject = (value: unknown): value is Attributes =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const asObject = (value: unknown): Attributes => (isObject(value) ? value : {});
