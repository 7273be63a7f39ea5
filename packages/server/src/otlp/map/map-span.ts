import { MAX_NAME_BYTES } from "@whytrace/contract";
import { UNNAMED_SPAN } from "../../trace-store/merge/span-versions.ts";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import { SpanReading } from "../conventions/read-attributes.ts";
import type { OtlpSpan } from "../decode/otlp-span.ts";
import { collectFacts } from "./collect-facts.ts";
import type { MappedSpan } from "./mapped-span.ts";
import { permissionDecision } from "./permission-decision.ts";
import { spanEvents } from "./span-events.ts";
import { spanMetadata } from "./span-metadata.ts";
import { spanInput, spanOutput } from "./span-payloads.ts";
import { spanStatus } from "./span-status.ts";
import { spanTimes } from "./span-times.ts";
import { spanType } from "./span-type.ts";
import { spanUsage } from "./span-usage.ts";

/** What Whytrace stores of a span that came by OTLP. */
export function mapSpan(sent: OtlpSpan): MappedSpan {
  const reading = new SpanReading();
  reading.read(sent.attributes);
  const type = spanType(reading.slots, sent);
  const found = spanEvents(sent, type, reading);
  const permission = permissionDecision(sent.attributes);
  if (permission) found.decisions.push(permission);
  const { usage, tokenCount, costUsd } = spanUsage(reading, type, sent);
  const { status, statusMessage } = spanStatus(reading.slots, sent);
  const { startedAt, endedAt, durationMs } = spanTimes(sent);
  const span: MappedSpan["span"] = {
    id: sent.spanId,
    parentSpanId: sent.parentSpanId,
    name: storableText(sent.name, MAX_NAME_BYTES) || UNNAMED_SPAN,
    type,
    input: spanInput(reading),
    output: spanOutput(reading),
    tokenCount,
    costUsd,
    durationMs,
    status,
    statusMessage,
    startedAt,
    endedAt,
    // After input and output: what they contain is left out here.
    metadata: spanMetadata(sent, reading),
    usage,
  };
  return { span, events: found.events, facts: collectFacts(sent, span, reading, found) };
}
