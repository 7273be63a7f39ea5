import { EVENT_TYPES, MAX_NAME_BYTES, type ParsedEvent, type SpanType } from "@whytrace/contract";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import { readFeedback } from "../../trace-store/scores/read-feedback.ts";
import type { SpanReading } from "../conventions/read-attributes.ts";
import { SLOT_READERS } from "../conventions/slots.ts";
import { asText, parseJsonObject } from "../decode/attribute-value.ts";
import type { OtlpEvent, OtlpSpan } from "../decode/otlp-span.ts";
import { attributesJson } from "./attributes-json.ts";
import { messageOf, OPERATION_DETAILS, roleOf } from "./message-events.ts";
import { EVALUATION_RESULT, readEvaluation } from "./read-evaluation.ts";
import type { ScoreFacts, WrittenDecision } from "./span-facts.ts";
import { storableMs } from "./span-times.ts";
import { readDecision, WRITTEN_DECISION } from "./written-decision.ts";

/** Content in events counts only where no attribute has it. */
const AFTER_ATTRIBUTES = 10_000;

/** An attribute of an event that is one of Whytrace's own types, as the application wrote it. */
const WRITTEN_EVENT_TYPE = "whytrace.event.type";

export interface SpanEvents {
  /** The events that are neither content nor decisions, nor results of evaluations. */
  events: ParsedEvent[];
  decisions: WrittenDecision[];
  scores: ScoreFacts[];
}

/** Reads the events of a span. Events with messages are read into its reading, as if they were attributes. */
export function spanEvents(span: OtlpSpan, type: SpanType, reading: SpanReading): SpanEvents {
  const found: SpanEvents = { events: [], decisions: [], scores: [] };
  const messages: { input: unknown[]; output: unknown[] } = { input: [], output: [] };
  for (const [index, event] of span.events.entries()) {
    const role = roleOf(event.name);
    if (event.name === WRITTEN_DECISION) found.decisions.push(readDecision(event));
    else if (role) {
      const isOutput = event.name === "gen_ai.choice";
      messages[isOutput ? "output" : "input"].push(
        type === "TOOL_CALL" ? toolContent(event) : messageOf(role, messageFields(event)),
      );
      const finishReason = event.attributes.get("finish_reason");
      if (finishReason !== undefined && SLOT_READERS.asksForTools(finishReason))
        reading.slots.asksForTools = true;
    } else if (event.name === OPERATION_DETAILS) readDetails(event, span, reading);
    else if (event.name === "tool.output" && event.attributes.has("output"))
      reading.addContent("output", event.name, event.attributes.get("output") ?? null, AFTER_ATTRIBUTES);
    else {
      const evaluation = evaluationOf(event, span);
      if (evaluation) {
        found.scores.push(evaluation);
        continue;
      }
      const stored = storedEvent(span.spanId, event, index);
      found.events.push(stored);
      if (stored.type === "USER_FEEDBACK") found.scores.push(...feedbackOf(event));
    }
  }
  for (const slot of ["input", "output"] as const) {
    const [first, ...others] = messages[slot];
    if (first === undefined) continue;
    const isOne = others.length === 0 && (slot === "output" || type === "TOOL_CALL");
    reading.addContent(slot, `gen_ai events: ${slot}`, isOne ? first : messages[slot], AFTER_ATTRIBUTES);
  }
  return found;
}

const evaluationOf = ({ name, attributes, timeMs }: OtlpEvent, { scope }: OtlpSpan) =>
  name === EVALUATION_RESULT ? readEvaluation(Object.fromEntries(attributes), { scope, timeMs }) : undefined;

/** What a user said, as a score of the span. */
function feedbackOf({ name, attributes, timeMs }: OtlpEvent): ScoreFacts[] {
  const feedback = readFeedback(name, Object.fromEntries(attributes));
  if (!feedback) return [];
  const { comment, ...judged } = feedback;
  return [{ ...judged, ...(comment !== null && { comment }), source: "user", timeMs, about: "span" }];
}

/** The fields of a message are attributes of its event, or JSON in one of them. */
const messageFields = ({ attributes }: OtlpEvent) =>
  parseJsonObject(attributes.get("gen_ai.event.content")) ?? Object.fromEntries(attributes);

/** The arguments of a tool, or its result: the message around them says nothing more. */
const toolContent = ({ attributes }: OtlpEvent) =>
  attributes.get("content") ?? attributes.get("message") ?? null;

function readDetails(event: OtlpEvent, span: OtlpSpan, reading: SpanReading) {
  for (const [key, value] of event.attributes)
    if (!span.attributes.has(key)) reading.readAttribute(key, value, AFTER_ATTRIBUTES);
}

function storedEvent(spanId: string, { name, timeMs, attributes }: OtlpEvent, index: number): ParsedEvent {
  const isException = name === "exception";
  const writtenType = EVENT_TYPES.find((known) => known === attributes.get(WRITTEN_EVENT_TYPE));
  const others = writtenType
    ? new Map([...attributes].filter(([key]) => key !== WRITTEN_EVENT_TYPE))
    : attributes;
  const shownName = (isException && asText(attributes.get("exception.type"))) || name || "event";
  return {
    id: `${spanId}-${index}`,
    spanId,
    type: writtenType ?? (isException ? "ERROR" : "CUSTOM"),
    name: storableText(shownName, MAX_NAME_BYTES),
    metadata: others.size > 0 ? attributesJson(others) : null,
    timestamp: storableMs(timeMs),
  };
}
