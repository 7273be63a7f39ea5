import type { ParsedEvent, ParsedSpan } from "@whytrace/contract";
import type { Masker } from "../masking/masker.ts";
import {
  hashError,
  markOf,
  markOfJson,
  maskComment,
  maskReasoning,
  optionName,
  payloadMark,
} from "../masking/structure-only.ts";
import { PACKED_FIELDS } from "../payloads/packed-fields.ts";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import type { MappedSpan } from "./map/mapped-span.ts";
import type { LogFacts, ScoreFacts, SpanFacts, ToolCall, WrittenDecision } from "./map/span-facts.ts";

/*
 * The level `structure` for what OpenTelemetry sends. What a trace is derived from is read from the attributes first; then
 * payloads, reasons and arguments are left out of it.
 */

/** A mapped span without its payloads. `sent` is the same span, mapped as it was sent: it says how long they were. */
export function structureOfSpan(mapped: MappedSpan, sent: MappedSpan, masker: Masker): MappedSpan {
  const { span, events, facts } = mapped;
  const { statusMessage } = span;
  return {
    span: {
      ...span,
      ...marks(sent.span, PACKED_FIELDS.spans),
      statusMessage: statusMessage === null ? null : hashError(statusMessage, masker),
    },
    events: events.map((event, index) => ({ ...event, ...marks(sent.events[index], PACKED_FIELDS.events) })),
    facts: structureOfFacts(facts, masker),
  };
}

function marks(record: ParsedSpan | ParsedEvent | undefined, fields: readonly string[]) {
  const values: Readonly<Record<string, unknown>> = { ...record };
  const marked: Record<string, unknown> = {};
  for (const field of fields) {
    const bytes = payloadBytes(values[field]);
    marked[field] = bytes && payloadMark(bytes.length);
  }
  return marked;
}

export function structureOfFacts(
  {
    chunk: _chunk,
    pairs: _pairs,
    error,
    reasoning,
    calls,
    tool,
    decisions,
    frameworkDecisions,
    scores,
    ...facts
  }: SpanFacts,
  masker: Masker,
): SpanFacts {
  const written = (decision: WrittenDecision) => structureOfDecision(decision, masker);
  return {
    ...facts,
    ...(error !== undefined && { error: hashError(error, masker) }),
    ...(reasoning !== undefined && { reasoning: maskReasoning(reasoning) ?? "" }),
    ...(calls && { calls: calls.map(nameOnly) }),
    ...(tool && { tool: nameOnly(tool) }),
    ...(decisions && { decisions: decisions.map(written) }),
    ...(frameworkDecisions && { frameworkDecisions: frameworkDecisions.map(written) }),
    ...(scores && { scores: scores.map((score) => structureOfScore(score, masker)) }),
  };
}

const nameOnly = ({ name }: ToolCall): ToolCall => ({ name });

function structureOfDecision(
  { chosen, alternatives, reasoning, context, ...decision }: WrittenDecision,
  masker: Masker,
): WrittenDecision {
  return {
    ...decision,
    chosen: optionName(chosen, masker),
    ...(alternatives && { alternatives: alternatives.map((option) => optionName(option, masker)) }),
    ...(reasoning !== undefined && { reasoning: maskReasoning(reasoning) ?? "" }),
    ...(context !== undefined && { context: markOf(context) }),
  };
}

const structureOfScore = ({ comment, metadata, ...score }: ScoreFacts, masker: Masker): ScoreFacts => ({
  ...score,
  ...(comment !== undefined && { comment: maskComment(comment, score.source, masker) ?? "" }),
  ...(metadata !== undefined && { metadata: markOfJson(metadata) }),
});

const LOG_CONTENTS = ["message", "choice", "input", "output", "system"] as const;

/** What a log record says without its contents. Calls of tools in them are not known then. */
export function structureOfLog(log: LogFacts, masker: Masker): LogFacts {
  const structure = { ...log };
  for (const field of LOG_CONTENTS) if (log[field] !== undefined) structure[field] = markOf(log[field]);
  if (log.event)
    structure.event = {
      name: log.event.name,
      metadata: log.event.metadata && markOf(log.event.metadata),
    };
  if (log.score) structure.score = structureOfScore(log.score, masker);
  return structure;
}
