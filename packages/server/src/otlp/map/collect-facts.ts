import {
  MASK_READ_LENGTH,
  MAX_NAME_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  type ParsedSpan,
} from "@whytrace/contract";
import { ASKED_KEY } from "../../outcomes/judged-run.ts";
import { pairsOfEntries } from "../../trace-store/rows/metadata-pairs.ts";
import { isStorableId, storableText } from "../../trace-store/rows/storable-text.ts";
import { ATTRIBUTE_RULES } from "../conventions/conventions.ts";
import { MASTRA_CHUNK_OUTPUT, MASTRA_STEP_OUTPUT } from "../conventions/mastra.ts";
import { offeredTools, toolsOfRequest } from "../conventions/offered-tools.ts";
import type { SpanReading } from "../conventions/read-attributes.ts";
import { unflatten } from "../conventions/unflatten.ts";
import { asObject, asText, parsed } from "../decode/attribute-value.ts";
import type { OtlpSpan, OtlpValue } from "../decode/otlp-span.ts";
import { shortName } from "../decode/short-name.ts";
import { textKey } from "../decode/text-key.ts";
import { decisionsOfDecide } from "./decide-span.ts";
import { isEvaluator, spanScores } from "./evaluator-span.ts";
import { sampleProbability } from "./sample-probability.ts";
import { shortArguments } from "./short-arguments.ts";
import { spanAnswer } from "./span-answer.ts";
import type { SpanEvents } from "./span-events.ts";
import type { ScoreFacts, SpanFacts } from "./span-facts.ts";
import { toolArguments } from "./span-payloads.ts";
import { spanTimes } from "./span-times.ts";
import { hasDatabaseEvent } from "./span-type.ts";
import { storableReasoning } from "./storable-reasoning.ts";

const MAX_VERSION_BYTES = 128;
const MAX_ASKED = 16;
const CONVENTIONS =
  /^(?:gen_ai|llm|ai|openinference|traceloop|langfuse|langsmith|logfire|mastra|otel|sampling|telemetry)\./;

/** What a trace is derived from, of one span. */
export function collectFacts(
  sent: OtlpSpan,
  span: ParsedSpan,
  reading: SpanReading,
  { decisions, events, scores }: SpanEvents,
): SpanFacts {
  const { id, parentSpanId, name, type, status, statusMessage, startedAt, tokenCount, costUsd } = span;
  const { endMs } = spanTimes(sent);
  const facts: SpanFacts = { id, name, type, status, startMs: startedAt, endMs };
  if (parentSpanId !== null) facts.parentId = parentSpanId;
  if (tokenCount !== null) facts.tokens = tokenCount;
  if (costUsd !== null) facts.costUsd = costUsd;
  if (span.input !== null) facts.hasInput = true;
  if (span.output !== null) facts.hasOutput = true;
  if (decisions.length > 0) facts.decisions = decisions;
  addScoreFacts(facts, sent, scores);
  if (status === "ERROR" && statusMessage !== null) facts.error = statusMessage.slice(0, MASK_READ_LENGTH);
  const errors = events.filter((event) => event.type === "ERROR");
  if (errors.length > 0)
    facts.errorEvents = errors.map((error) => ({ name: error.name, timeMs: error.timestamp }));
  addTraceFacts(facts, reading);
  if (parentSpanId === null) addRootFacts(facts, sent, reading);
  if (type === "LLM_CALL" || type === "TOOL_CALL") addCallId(facts, reading);
  if (type === "LLM_CALL") addCallFacts(facts, reading);
  else addOtherFacts(facts, reading);
  if (type === "TOOL_CALL") addToolFacts(facts, reading);
  if (type === "MEMORY_OP" && isRetrieval(sent, reading)) facts.isRetrieval = true;
  return facts;
}

/** The judgements that a span tells, and what others need to be placed. */
function addScoreFacts(facts: SpanFacts, sent: OtlpSpan, told: readonly ScoreFacts[]) {
  const scores = [...told, ...spanScores(sent, facts.type)];
  if (scores.length > 0) facts.scores = scores;
  const responseId = asText(sent.attributes.get("gen_ai.response.id"));
  if (responseId !== undefined) facts.responseId = textKey(responseId);
  if (isEvaluator(sent, facts.type)) facts.isEvaluator = true;
}

/** What a span says about its trace. */
function addTraceFacts(facts: SpanFacts, { slots }: SpanReading) {
  const { traceName, agentName, workflowName, session, tags } = slots;
  const label = traceName ?? agentName ?? workflowName;
  if (label !== undefined) facts.label = storableText(label, MAX_NAME_BYTES);
  if (session !== undefined && isStorableId(session)) facts.session = session;
  if (tags) facts.tags = tags.slice(0, MAX_TAGS).map((tag) => storableText(tag, MAX_TAG_BYTES));
}

/** What is known about the run before it decides anything. Attributes of conventions say how it went. */
function addRootFacts(facts: SpanFacts, sent: OtlpSpan, { others }: SpanReading) {
  const { attributes, resource } = sent;
  const version = asText(resource.get("service.version"));
  if (version) facts.version = storableText(version, MAX_VERSION_BYTES);
  const asked = askedFor(attributes.get(ASKED_KEY) ?? resource.get(ASKED_KEY));
  const said = others.filter(
    ([key]) => key !== ASKED_KEY && !ATTRIBUTE_RULES.has(key) && !CONVENTIONS.test(key),
  );
  const pairs = pairsOfEntries([...asked.map((name) => [ASKED_KEY, name] as const), ...said]);
  if (pairs) facts.pairs = pairs;
  const sampled = sampleProbability(sent);
  if (sampled !== undefined) facts.sampled = sampled;
}

/** The names of scores for which a user was asked: a list, JSON, or one name. */
function askedFor(value: OtlpValue | undefined): string[] {
  const names = parsed(value ?? null);
  return (Array.isArray(names) ? names : [names])
    .filter((name) => typeof name === "string" && name !== "")
    .slice(0, MAX_ASKED);
}

function addCallId(facts: SpanFacts, { slots: { callId } }: SpanReading) {
  if (callId !== undefined && !(facts.hasInput && facts.hasOutput)) facts.callId = textKey(callId);
}

/** What a model called, what it could have called, and why. */
function addCallFacts(facts: SpanFacts, reading: SpanReading) {
  addCalls(facts, reading);
  if (!facts.calls && reading.slots.asksForTools) facts.asksForTools = true;
  // Log records may still say what the model called, unless the span itself says what it answered.
  const offered = facts.calls || facts.asksForTools || !facts.hasOutput ? offeredBy(reading) : undefined;
  if (offered) facts.offered = offered;
  const frameworkDecisions = decisionsOfDecide(reading.slots);
  if (frameworkDecisions.length > 0) facts.frameworkDecisions = frameworkDecisions;
}

function addCalls(facts: SpanFacts, reading: SpanReading) {
  const { calls, reasoning, text } = spanAnswer(reading);
  if (calls.length === 0) return;
  facts.calls = calls;
  const why = reasoning ?? text;
  if (why !== undefined) facts.reasoning = storableReasoning(why);
}

/** Agents offer tools to the calls below them. Mastra has parts of a call on the spans around it. */
function addOtherFacts(facts: SpanFacts, reading: SpanReading) {
  const { slots, contents } = reading;
  if (slots.offered) facts.offered = slots.offered;
  for (const { key, parsed } of contents) {
    if (key === MASTRA_STEP_OUTPUT) addCalls(facts, reading);
    const chunk = key === MASTRA_CHUNK_OUTPUT ? asText(asObject(parsed)?.text) : undefined;
    if (chunk !== undefined) facts.chunk = storableReasoning(chunk);
  }
}

function offeredBy(reading: SpanReading): string[] | undefined {
  const list = reading.flattenedIn("offered");
  const offered = reading.slots.offered ?? (list && offeredTools(unflatten(list.entries)));
  if (offered) return offered;
  for (const content of reading.contentsOf("input")) {
    const names = toolsOfRequest(content.parsed);
    if (names) return names;
  }
  return undefined;
}

function addToolFacts(facts: SpanFacts, reading: SpanReading) {
  const { toolName, workflowName } = reading.slots;
  facts.tool = { name: shortName(toolName ?? workflowName ?? facts.name.replace(/^execute_tool /, "")) };
  const given = shortArguments(toolArguments(reading));
  if (given !== undefined) facts.tool.arguments = given;
}

const KIND_ATTRIBUTES = [
  "openinference.span.kind",
  "gen_ai.operation.name",
  "langfuse.observation.type",
  "langsmith.span.kind",
  "genkit:metadata:subtype",
];

/** Whether a span looked something up. Writing to a memory is no retrieval, and neither is any query of a database. */
function isRetrieval(span: OtlpSpan, { slots: { memoryOperation } }: SpanReading): boolean {
  if (memoryOperation !== undefined) return /^(read|search|retriev|recall|query)/i.test(memoryOperation);
  const kinds = KIND_ATTRIBUTES.map((key) => asText(span.attributes.get(key)) ?? "");
  return hasDatabaseEvent(span) || kinds.some((kind) => /^retriev/i.test(kind));
}
