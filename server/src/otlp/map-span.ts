import {
  isStorableId,
  MAX_NAME_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  type SpanType,
  storableText,
} from "@whytrace/contract";
import { asText, parsed, parseJsonObject } from "./attribute-value.ts";
import { MASTRA_CHUNK_OUTPUT, MASTRA_STEP_OUTPUT } from "./conventions/mastra.ts";
import { decisionsOfDecide } from "./decide-span.ts";
import type { MappedSpan } from "./mapped-span.ts";
import { offeredTools, toolsOfRequest } from "./offered-tools.ts";
import type { OtlpSpan } from "./otlp-span.ts";
import { SpanReading } from "./read-attributes.ts";
import { spanAnswer } from "./span-answer.ts";
import { spanEvents } from "./span-events.ts";
import type { SpanFacts } from "./span-facts.ts";
import { spanMetadata } from "./span-metadata.ts";
import { spanPayloads, toolArguments } from "./span-payloads.ts";
import { spanStatus } from "./span-status.ts";
import { spanTimes, toMicroseconds } from "./span-times.ts";
import { hasDatabaseEvent, spanType } from "./span-type.ts";
import { spanUsage } from "./span-usage.ts";
import { unflatten } from "./unflatten.ts";

const MAX_TEXT_BYTES = 1_048_576;
/** Longer arguments stay on the span of their tool. */
const MAX_ARGUMENTS_LENGTH = 16_384;

/** What Whytrace stores of a span that came by OTLP. */
export function mapSpan(span: OtlpSpan): MappedSpan {
  const reading = new SpanReading();
  reading.read(span.attributes);
  const type = spanType(reading.slots, span);
  const { events, decisions } = spanEvents(span, type, reading);
  const { usage, tokenCount, costUsd } = spanUsage(reading, type, span);
  const { status, statusMessage } = spanStatus(reading.slots, span);
  const { startedAt, endedAt, durationMs } = spanTimes(span);
  const name = storableText(span.name, MAX_NAME_BYTES) || "span";
  const answer = answerFacts(reading, type);
  const payloads = spanPayloads(reading);
  const frameworkDecisions = decisionsOfDecide(reading.slots);
  const facts: SpanFacts = {
    id: span.spanId,
    ...(span.parentSpanId !== null && { parentId: span.parentSpanId }),
    name,
    type,
    status,
    startMs: startedAt,
    endMs: Math.max(startedAt, toMicroseconds(span.endMs)),
    ...(tokenCount !== null && { tokens: tokenCount }),
    ...(costUsd !== null && { costUsd }),
    ...traceFacts(reading),
    ...answer,
    ...toolFacts(reading, type, name),
    ...(isRetrieval(span, type, reading) && { isRetrieval: true as const }),
    ...(decisions.length > 0 && { decisions }),
    ...(frameworkDecisions.length > 0 && { frameworkDecisions }),
    ...(payloads.input !== null && { hasInput: true as const }),
    ...(payloads.output !== null && { hasOutput: true as const }),
  };
  return {
    span: {
      id: span.spanId,
      parentSpanId: span.parentSpanId,
      name,
      type,
      ...payloads,
      tokenCount,
      costUsd,
      durationMs,
      status,
      statusMessage: statusMessage && storableText(statusMessage, MAX_TEXT_BYTES),
      startedAt,
      endedAt,
      metadata: spanMetadata(span, reading),
      usage: usage && { ...usage, model: usage.model && storableText(usage.model, MAX_NAME_BYTES) },
    },
    events,
    facts,
  };
}

/** What a span says about its trace. */
function traceFacts({ slots }: SpanReading): Pick<SpanFacts, "label" | "session" | "tags"> {
  const label = slots.traceName ?? slots.agentName ?? slots.workflowName;
  const { session, tags } = slots;
  return {
    ...(label !== undefined && { label: storableText(label, MAX_NAME_BYTES) }),
    ...(session !== undefined && isStorableId(session) && { session }),
    ...(tags && { tags: tags.slice(0, MAX_TAGS).map((tag) => storableText(tag, MAX_TAG_BYTES)) }),
  };
}

/** What a model called, and what it could have called. */
function answerFacts(
  reading: SpanReading,
  type: SpanType,
): Pick<SpanFacts, "calls" | "asksForTools" | "offered" | "reasoning" | "chunk"> {
  const isStep = reading.contents.some(({ key }) => key === MASTRA_STEP_OUTPUT);
  if (type !== "LLM_CALL" && !isStep) {
    const { offered } = reading.slots;
    const chunk = reading.contents.find(({ key }) => key === MASTRA_CHUNK_OUTPUT);
    const text = chunk && asText(parseJsonObject(chunk.value)?.text);
    return {
      ...(offered && { offered }),
      ...(text !== undefined && { chunk: storableText(text, MAX_TEXT_BYTES) }),
    };
  }
  const { calls, reasoning, text } = spanAnswer(reading);
  const hasCalls = calls.length > 0;
  const asksForTools = !hasCalls && reading.slots.asksForTools;
  // Log records may still say what the model called, unless the span itself says what it answered.
  const mayCall = hasCalls || asksForTools || reading.contentsOf("output").length === 0;
  const offered = mayCall ? offeredIn(reading) : undefined;
  const why = hasCalls ? (reasoning ?? text) : undefined;
  return {
    ...(hasCalls && { calls }),
    ...(asksForTools && { asksForTools }),
    ...(offered && { offered }),
    ...(why !== undefined && { reasoning: storableText(why, MAX_TEXT_BYTES) }),
  };
}

function offeredIn(reading: SpanReading): string[] | undefined {
  const list = reading.flattenedIn("offered");
  const offered = reading.slots.offered ?? (list && offeredTools(unflatten(list.entries)));
  if (offered) return offered;
  for (const { value } of reading.contentsOf("input")) {
    const names = toolsOfRequest(parsed(value));
    if (names) return names;
  }
  return undefined;
}

function toolFacts(reading: SpanReading, type: SpanType, spanName: string): Pick<SpanFacts, "tool"> {
  if (type !== "TOOL_CALL") return {};
  const name = reading.slots.toolName ?? reading.slots.workflowName ?? spanName.replace(/^execute_tool /, "");
  const given = toolArguments(reading);
  const isShort = given !== undefined && JSON.stringify(given).length <= MAX_ARGUMENTS_LENGTH;
  return { tool: { name, ...(isShort && { arguments: given }) } };
}

const KIND_ATTRIBUTES = [
  "openinference.span.kind",
  "gen_ai.operation.name",
  "langfuse.observation.type",
  "langsmith.span.kind",
  "genkit:metadata:subtype",
];

/** Whether the span looked something up. Writing to a memory is no retrieval, and neither is any query of a database. */
function isRetrieval(span: OtlpSpan, type: SpanType, { slots }: SpanReading): boolean {
  if (type !== "MEMORY_OP") return false;
  if (slots.memoryOperation !== undefined)
    return /^(read|search|retriev|recall|query)/i.test(slots.memoryOperation);
  return (
    hasDatabaseEvent(span) ||
    KIND_ATTRIBUTES.some((key) => /^retriev/i.test(asText(span.attributes.get(key)) ?? ""))
  );
}
