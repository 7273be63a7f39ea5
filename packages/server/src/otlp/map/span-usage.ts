import { MAX_NAME_BYTES, type ModelUsage, type SpanType } from "@whytrace/contract";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import type { SpanReading } from "../conventions/read-attributes.ts";
import { asNumber, asObject, asText, type JsonObject } from "../decode/attribute-value.ts";
import type { OtlpSpan } from "../decode/otlp-span.ts";

interface Counts {
  input?: number | undefined;
  output?: number | undefined;
  total?: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  reasoning?: number | undefined;
  /** Whether the cached tokens have to be added to the input, and the reasoning to the output. */
  isExclusive?: boolean;
}

interface SpanUsage {
  /** Null unless the span is a call of a model: an agent's span repeats the calls below it. */
  usage: ModelUsage | null;
  tokenCount: number | null;
  /** As it was sent. */
  costUsd: number | null;
}

/** The model of a span, and its tokens in one form: input includes what was cached, output includes reasoning. */
export function spanUsage(reading: SpanReading, type: SpanType, span: OtlpSpan): SpanUsage {
  const { slots } = reading;
  const response = type === "LLM_CALL" ? genkitResponse(reading) : undefined;
  const counts =
    langfuseCounts(slots.usageDetails) ?? genkitCounts(response) ?? attributeCounts(reading, span);
  const { cacheRead = 0, cacheWrite = 0, reasoning = 0 } = counts;
  const cached = cacheRead + cacheWrite;
  const isExclusive = counts.isExclusive || cached > (counts.input ?? cached);
  const input = counts.input === undefined ? undefined : counts.input + (isExclusive ? cached : 0);
  const tokenCount =
    input === undefined && counts.output === undefined ? counts.total : (input ?? 0) + (counts.output ?? 0);
  const model = slots.responseModel ?? genkitModel(response, span) ?? slots.requestModel ?? slots.bareModel;
  const isKnown = model !== undefined || tokenCount !== undefined;
  return {
    usage:
      type === "LLM_CALL" && isKnown
        ? {
            model: model === undefined ? null : storableText(model, MAX_NAME_BYTES),
            inputTokens: input ?? null,
            cacheReadTokens: counts.cacheRead ?? null,
            cacheWriteTokens: counts.cacheWrite ?? null,
            outputTokens: counts.output ?? null,
            reasoningTokens: counts.reasoning === undefined ? null : reasoning,
          }
        : null,
    tokenCount: tokenCount ?? null,
    costUsd: sentCost(slots.costUsd ?? asNumber(slots.costDetails?.total), tokenCount),
  };
}

/** Some send 0 for a model whose price they do not know. */
const sentCost = (costUsd: number | undefined, tokenCount: number | undefined) =>
  costUsd === undefined || (costUsd === 0 && (tokenCount ?? 0) > 0) ? null : costUsd;

/** Its conventions are OpenTelemetry's, but its counts are Anthropic's, which leave out what was cached. */
const EXCLUSIVE_SCOPE = "@traceloop/instrumentation-anthropic";

function attributeCounts({ slots }: SpanReading, { scope }: OtlpSpan): Counts {
  const { inputTokenDetails, outputTokenDetails } = slots;
  const isUncached = slots.inputTokens === undefined && slots.uncachedInputTokens !== undefined;
  return {
    input: slots.inputTokens ?? slots.uncachedInputTokens,
    output: slots.outputTokens,
    total: slots.totalTokens,
    cacheRead: slots.cacheReadTokens ?? asNumber(inputTokenDetails?.cache_read),
    cacheWrite: slots.cacheWriteTokens ?? asNumber(inputTokenDetails?.cache_creation),
    reasoning: slots.reasoningTokens ?? asNumber(outputTokenDetails?.reasoning),
    isExclusive: isUncached || scope.name === EXCLUSIVE_SCOPE,
  };
}

/** Langfuse takes cached tokens out of the input and reasoning out of the output. */
function langfuseCounts(details: JsonObject | undefined): Counts | undefined {
  if (!details) return undefined;
  const output = asNumber(details.output);
  const reasoning = asNumber(details.output_reasoning_tokens ?? details.output_reasoning);
  return {
    input: asNumber(details.input),
    output: output === undefined ? undefined : output + (reasoning ?? 0),
    total: asNumber(details.total),
    cacheRead: asNumber(
      details.input_cached_tokens ?? details.cache_read_input_tokens ?? details.input_cache_read,
    ),
    cacheWrite: asNumber(details.cache_creation_input_tokens ?? details.input_cache_creation),
    reasoning,
    isExclusive: true,
  };
}

function genkitResponse(reading: SpanReading): JsonObject | undefined {
  const output = reading.contents.find(({ key }) => key === "genkit:output");
  return asObject(output?.parsed);
}

function genkitCounts(response: JsonObject | undefined): Counts | undefined {
  const usage = asObject(response?.usage);
  if (!usage) return undefined;
  const input = asNumber(usage.inputTokens);
  const output = asNumber(usage.outputTokens);
  const total = asNumber(usage.totalTokens);
  const reasoning = asNumber(usage.thoughtsTokens);
  const both = output === undefined || reasoning === undefined ? undefined : output + reasoning;
  // Plugins pass on what their provider counts: Gemini's output is without the thoughts, its total is with them.
  const isExclusive = both !== undefined && (input ?? 0) + both === total;
  return {
    input,
    output: isExclusive ? both : output,
    total,
    cacheRead: asNumber(usage.cachedContentTokens),
    reasoning,
  };
}

/** The model that answered, or else the span's name without the plugin: `googleai/gemini-3.5-flash`. */
function genkitModel(response: JsonObject | undefined, { name }: OtlpSpan): string | undefined {
  return response && (asText(asObject(response.raw)?.model) ?? name.slice(name.indexOf("/") + 1));
}
