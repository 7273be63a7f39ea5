import { SPAN_TYPES, type SpanType } from "@whytrace/contract";
import { asNumber, asText, type JsonObject, parseJsonObject } from "../decode/attribute-value.ts";
import type { OtlpValue } from "../decode/otlp-span.ts";
import { offeredTools } from "./offered-tools.ts";
import { readTags } from "./read-tags.ts";
import { spanTypeOf } from "./span-kinds.ts";

/** What is read from the attributes of a span, whatever convention they follow. */
export interface Slots {
  /** One of Whytrace's own types, as the application wrote it. */
  writtenType: SpanType;
  type: SpanType;

  /** A name that was given to the whole trace. */
  traceName: string;
  agentName: string;
  workflowName: string;
  session: string;
  tags: string[];

  responseModel: string;
  requestModel: string;
  /** The value of an attribute that is named only `model`, so it need not be a language model. */
  bareModel: string;
  inputTokens: number;
  /** Without the tokens that were read from or written to a cache. */
  uncachedInputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** `{ cache_read, cache_creation }` */
  inputTokenDetails: JsonObject;
  /** `{ reasoning }` */
  outputTokenDetails: JsonObject;
  /** Langfuse's `{ input, output, total, input_cached_tokens, output_reasoning_tokens }`. */
  usageDetails: JsonObject;
  costUsd: number;
  /** Langfuse's `{ input, output, total }`. */
  costDetails: JsonObject;

  toolName: string;
  /** By which log records name the span: that of a call of a tool, or of a request to a model. */
  callId: string;
  /** Set if the model ended its answer in order to call tools. */
  asksForTools: true;
  offered: string[];
  reasoning: string;

  isFailed: true;
  /** Set by what only says what kind of error it was. */
  errorType: string;
  errorMessage: string;

  isDatabase: true;
  isLoopCycle: true;
  /** `read` or `write…`. */
  memoryOperation: string;

  /* The content of a span. It becomes `input` and `output`, and is not repeated in the metadata. */
  input: OtlpValue;
  output: OtlpValue;
  system: OtlpValue;
  text: OtlpValue;
  toolCalls: OtlpValue;
  decisionState: OtlpValue;
  decisionQuestions: OtlpValue;
  decisionAnswers: OtlpValue;
}

export type Slot = keyof Slots;

/** Returns undefined for a value that says nothing, so that the next attribute for the slot is used. */
type SlotReaders = { readonly [Name in Slot]: (value: OtlpValue) => Slots[Name] | undefined };

const present = (value: OtlpValue): true | undefined => (value === null ? undefined : true);
const content = (value: OtlpValue) => (value === null || value === "" ? undefined : value);

export const SLOT_READERS: SlotReaders = {
  writtenType: (value) => SPAN_TYPES.find((type) => type === value),
  type: spanTypeOf,
  traceName: asText,
  agentName: asText,
  workflowName: asText,
  session: asText,
  tags: readTags,
  responseModel: asText,
  requestModel: asText,
  bareModel: asText,
  inputTokens: asNumber,
  uncachedInputTokens: asNumber,
  outputTokens: asNumber,
  totalTokens: asNumber,
  cacheReadTokens: asNumber,
  cacheWriteTokens: asNumber,
  reasoningTokens: asNumber,
  inputTokenDetails: parseJsonObject,
  outputTokenDetails: parseJsonObject,
  usageDetails: parseJsonObject,
  costUsd: asNumber,
  costDetails: parseJsonObject,
  toolName: asText,
  callId: asText,
  asksForTools: (value) => (saysToolCalls(value) ? true : undefined),
  offered: offeredTools,
  reasoning: asText,
  isFailed: (value) => (saysFailure(value) ? true : undefined),
  errorType: asText,
  errorMessage: asText,
  isDatabase: present,
  isLoopCycle: present,
  memoryOperation: asText,
  input: content,
  output: content,
  system: content,
  text: content,
  toolCalls: content,
  decisionState: content,
  decisionQuestions: content,
  decisionAnswers: content,
};

/** `tool_calls`, `tool-calls`, `tool_use`, `toolUse`…, alone, in an array or in JSON. */
const TOOL_FINISH = /(tool[-_]?(calls?|use)|function_call)\b/i;
const saysToolCalls = (value: OtlpValue) =>
  typeof value === "string" ? TOOL_FINISH.test(value) : Array.isArray(value) && value.some(isToolFinish);
const isToolFinish = (value: OtlpValue) => typeof value === "string" && TOOL_FINISH.test(value);

const saysFailure = (value: OtlpValue) =>
  value === false || (typeof value === "string" && /^(error|failed|failure|false)$/i.test(value));
