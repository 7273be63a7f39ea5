import type { ParsedDecisionPoint, ParsedEvent, ParsedSpan, ParsedTrace } from "@whytrace/contract";
import { otlpAttributes, otlpNanos, type SampleSpan } from "@whytrace/testing/otlp/otlp-samples.ts";

/** The same trace as an instrumented agent reports it: its decision points and events are events of its spans. */
export function traceToOtlp(trace: ParsedTrace): SampleSpan[] {
  const [root] = trace.spans;
  const decisions = Map.groupBy(trace.decisionPoints, ({ parentSpanId }) => parentSpanId ?? root?.id);
  const events = Map.groupBy(trace.events, ({ spanId }) => spanId ?? root?.id);
  return trace.spans.map((span) => {
    const { statusMessage, startedAt, endedAt } = span;
    return {
      traceId: toHex(trace.id, 32),
      spanId: toHex(span.id, 16),
      ...(span.parentSpanId !== null && { parentSpanId: toHex(span.parentSpanId, 16) }),
      name: span.name,
      startTimeUnixNano: otlpNanos(startedAt),
      endTimeUnixNano: otlpNanos(endedAt ?? startedAt),
      attributes: otlpAttributes({
        ...spanAttributes(span),
        ...(span === root && {
          "langfuse.trace.name": trace.name,
          "tag.tags": trace.tags,
          ...(trace.sessionId !== null && { "session.id": trace.sessionId }),
        }),
      }),
      events: [
        ...(decisions.get(span.id) ?? []).map(decisionEvent),
        ...(events.get(span.id) ?? []).map(otherEvent),
      ],
      status: span.status === "ERROR" ? { code: 2, message: statusMessage ?? "" } : { code: 1 },
    };
  });
}

/** Ids of OpenTelemetry are hexadecimal. */
const toHex = (id: string, digits: number) => id.replaceAll("-", "").slice(-digits);

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function spanAttributes({ type, input, output, tokenCount, costUsd, metadata }: ParsedSpan) {
  return {
    "whytrace.span.type": type,
    ...(input !== null && { "input.value": text(input) }),
    ...(output !== null && { "output.value": text(output) }),
    ...(tokenCount !== null && { "gen_ai.usage.input_tokens": tokenCount }),
    ...(costUsd !== null && { "gen_ai.usage.cost": costUsd }),
    ...(typeof metadata === "object" && metadata),
  };
}

function decisionEvent({
  type,
  chosen,
  alternatives,
  reasoning,
  contextSnapshot,
  timestamp,
}: ParsedDecisionPoint) {
  return {
    timeUnixNano: otlpNanos(timestamp),
    name: "whytrace.decision",
    attributes: otlpAttributes({
      "whytrace.decision.type": type,
      "whytrace.decision.chosen": text(chosen),
      "whytrace.decision.alternatives": text(alternatives),
      ...(reasoning !== null && { "whytrace.decision.reasoning": reasoning }),
      ...(contextSnapshot !== null && { "whytrace.decision.context": text(contextSnapshot) }),
    }),
  };
}

const otherEvent = ({ name, timestamp, metadata }: ParsedEvent) => ({
  timeUnixNano: otlpNanos(timestamp),
  name,
  attributes: otlpAttributes(typeof metadata === "object" && metadata !== null ? metadata : {}),
});
