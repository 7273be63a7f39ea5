import { offeredTools } from "../conventions/offered-tools.ts";
import { SLOT_READERS } from "../conventions/slots.ts";
import { asObject, parsed } from "../decode/attribute-value.ts";
import type { OtlpLogRecord, OtlpValue } from "../decode/otlp-span.ts";
import { claudeLog, isClaudeLog } from "./claude-log.ts";
import { messageOf, OPERATION_DETAILS, roleOf } from "./message-events.ts";
import { EVALUATION_RESULT, readEvaluation } from "./read-evaluation.ts";
import type { LogContent, LogFacts } from "./span-facts.ts";

/**
 * Whether a record is of a kind that can be kept: the messages of a model's call, its tools, or the result of an evaluation. Only
 * an evaluation may be about the run. Many applications send all their logs, so this is asked before anything is done with a record.
 */
export const mayBeKept = (record: OtlpLogRecord): boolean =>
  record.eventName === EVALUATION_RESULT ||
  (record.spanId !== null &&
    (record.eventName === OPERATION_DETAILS ||
      roleOf(record.eventName) !== undefined ||
      isClaudeLog(record)));

/**
 * What a log record says about its span; undefined if it says nothing. `position` is the record's place among those of its trace in the
 * same request: records of one call often have the same time.
 */
export function mapLog(record: OtlpLogRecord, position = 0): LogFacts | undefined {
  const content = mayBeKept(record) ? contentOf(record) : undefined;
  if (!content) return undefined;
  return { spanId: record.spanId, timeMs: record.timeMs, ...(position > 0 && { position }), ...content };
}

function contentOf(record: OtlpLogRecord): LogContent | undefined {
  if (record.eventName === EVALUATION_RESULT) return evaluationOf(record);
  if (record.eventName === OPERATION_DETAILS) return detailsOf(record);
  return messageFacts(record) ?? claudeLog(record);
}

/** A score of the span, or of the run if no span is named; an event if the evaluator failed. */
function evaluationOf(record: OtlpLogRecord): LogContent {
  const fields = { ...asObject(record.body), ...Object.fromEntries(record.attributes) };
  const score = readEvaluation(fields, record);
  return score ? { score } : { event: eventOf(record.eventName, fields) };
}

function eventOf(
  eventName: string,
  fields: Readonly<Record<string, unknown>>,
): NonNullable<LogFacts["event"]> {
  const metadata = Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => key !== "event.name")
      .map(([key, value]) => [key, parsed(value ?? null)]),
  );
  return { name: eventName, metadata: Object.keys(metadata).length > 0 ? metadata : null };
}

function detailsOf({ attributes, body }: OtlpLogRecord): LogContent | undefined {
  const get = (key: string) => parsed(attributes.get(key) ?? asObject(body)?.[key] ?? null);
  const content: LogContent = {};
  for (const [field, key] of [
    ["input", "gen_ai.input.messages"],
    ["output", "gen_ai.output.messages"],
    ["system", "gen_ai.system_instructions"],
  ] as const) {
    const value = get(key);
    if (value !== null && value !== "") content[field] = value;
  }
  const offered = offeredTools(get("gen_ai.tool.definitions"));
  if (offered) content.offered = offered;
  return Object.keys(content).length > 0 ? content : undefined;
}

function messageFacts({ eventName, attributes, body }: OtlpLogRecord): LogContent | undefined {
  const role = roleOf(eventName);
  if (!role) return undefined;
  const fields = isRecord(body) ? body : isEmpty(body) ? ownFields(attributes) : { content: body };
  if (eventName !== "gen_ai.choice") return { message: messageOf(role, fields) };
  const asksForTools = SLOT_READERS.asksForTools(fields.finish_reason ?? null);
  return { choice: messageOf(role, fields), ...(asksForTools && { asksForTools }) };
}

const isEmpty = (body: OtlpValue) => body === null || body === "";
const isRecord = (value: OtlpValue): value is Readonly<Record<string, OtlpValue>> =>
  asObject(value) !== undefined;

/** Fields of a message that was sent as attributes: those without a prefix. */
const ownFields = (attributes: OtlpLogRecord["attributes"]) =>
  Object.fromEntries([...attributes].filter(([key]) => !key.includes(".")));
