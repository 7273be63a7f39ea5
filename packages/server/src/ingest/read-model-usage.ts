import { type ModelUsage, RawJson, storable } from "@whytrace/contract";

/*
 * Reads which model a span called, and the tokens of the call, from the span's metadata. Our SDK writes `model`,
 * `inputTokens` and so on; others copy the usage of a provider's response, or attributes of OpenTelemetry.
 */

/** Larger metadata is not parsed: parsing takes time from every request. */
const MAX_METADATA_BYTES = 32 * 1024;
const MAX_MODEL_LENGTH = 200;

/** The model that answered comes before the one that was asked for. */
const MODEL_KEYS = [
  "gen_ai.response.model",
  "ai.response.model",
  "model",
  "gen_ai.request.model",
  "llm.model_name",
  "ai.model.id",
  "model_name",
  "modelName",
  "modelId",
  "model_id",
  "ls_model_name",
];
/** Objects that contain usage. */
const USAGE_KEYS = new Set(["usage", "tokenUsage", "token_usage", "usage_metadata", "usageMetadata"]);
const USAGE_PREFIX = /^(gen_ai|llm|ai)\.usage\./;

const INPUT = [
  "inputTokens",
  "inputTokens.total",
  "input_tokens",
  "promptTokens",
  "prompt_tokens",
  "promptTokenCount",
  "prompt_token_count",
  "llm.token_count.prompt",
];
const OUTPUT = [
  "outputTokens",
  "outputTokens.total",
  "output_tokens",
  "completionTokens",
  "completion_tokens",
  "llm.token_count.completion",
];
/** Google's number of output tokens does not include thoughts. */
const OUTPUT_WITHOUT_REASONING = ["candidatesTokenCount", "candidates_token_count"];
const CACHE_READ = [
  "cacheReadTokens",
  "inputTokens.cacheRead",
  "cachedInputTokens",
  "cache_read_tokens",
  "cached_input_tokens",
  "cache_read.input_tokens",
  "prompt_tokens_details.cached_tokens",
  "input_tokens_details.cached_tokens",
  "input_token_details.cache_read",
  "cachedContentTokenCount",
  "cached_content_token_count",
  "llm.token_count.prompt_details.cache_read",
];
const CACHE_WRITE = [
  "cacheWriteTokens",
  "inputTokens.cacheWrite",
  "cache_write_tokens",
  "cache_write.input_tokens",
  "cache_creation.input_tokens",
  "prompt_tokens_details.cache_write_tokens",
  "input_tokens_details.cache_write_tokens",
  "input_token_details.cache_creation",
  "llm.token_count.prompt_details.cache_write",
];
/** Anthropic's number of input tokens does not include the tokens that it counts under these names. */
const ANTHROPIC_CACHE_READ = "cache_read_input_tokens";
const ANTHROPIC_CACHE_WRITE = "cache_creation_input_tokens";
const REASONING = [
  "reasoningTokens",
  "outputTokens.reasoning",
  "reasoning_tokens",
  "reasoning.output_tokens",
  "completion_tokens_details.reasoning_tokens",
  "output_tokens_details.reasoning_tokens",
  "output_token_details.reasoning",
  "thoughtsTokenCount",
  "thoughts_token_count",
  "llm.token_count.completion_details.reasoning",
];

type JsonObject = Readonly<Record<string, unknown>>;
type Counts = ReadonlyMap<string, number>;

/** Returns null if the metadata names neither a model nor tokens. */
export function readModelUsage(metadata: unknown): ModelUsage | null {
  const fields = metadata instanceof RawJson ? parseSmall(metadata.bytes) : metadata;
  if (!isObject(fields)) return null;
  const model = readModel(fields);
  const counts = readCounts(fields);
  if (model === null && counts.size === 0) return null;
  const usage = { model, ...readTokens(counts) };
  return model === null && usage.inputTokens === null && usage.outputTokens === null ? null : usage;
}

function parseSmall(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_METADATA_BYTES || bytes[0] !== 0x7b) return undefined;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Most metadata says nothing about a model or tokens, and looking for a word is much cheaper than parsing.
  return json.includes("odel") || json.includes("oken") ? JSON.parse(json.toString()) : undefined;
}

function readModel(fields: JsonObject): string | null {
  for (const key of MODEL_KEYS) {
    const value = fields[key];
    if (typeof value === "string" && value.trim() !== "" && value.length <= MAX_MODEL_LENGTH)
      return storable(value.trim());
  }
  return null;
}

/** All counts by their names, without the prefixes under which OpenTelemetry puts them. */
function readCounts(fields: JsonObject): Counts {
  const counts = new Map<string, number>();
  const add = (name: string, value: unknown) => {
    if (typeof value === "number" && Number.isFinite(value) && value >= 0 && !counts.has(name))
      counts.set(name, value);
  };
  for (const [key, value] of Object.entries(fields)) {
    add(key.startsWith("usage.") ? key.slice("usage.".length) : withoutPrefix(key), value);
    if (!USAGE_KEYS.has(key) || !isObject(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      add(name, inner);
      if (isObject(inner))
        for (const [detail, count] of Object.entries(inner)) add(`${name}.${detail}`, count);
    }
  }
  return counts;
}

/** Names of OpenTelemetry resemble Anthropic's, but its number of input tokens includes cached ones. */
const withoutPrefix = (key: string) =>
  USAGE_PREFIX.test(key)
    ? key.replace(USAGE_PREFIX, "").replace(/^cache_(read|creation)_input/, "cache_$1.input")
    : key;

function readTokens(counts: Counts): Omit<ModelUsage, "model"> {
  const first = (names: string[]) => {
    for (const name of names) {
      const count = counts.get(name);
      if (count !== undefined) return count;
    }
    return null;
  };
  const sentInput = first(INPUT);
  const reasoningTokens = first(REASONING);
  const withoutReasoning = first(OUTPUT_WITHOUT_REASONING);
  const outputTokens =
    first(OUTPUT) ?? (withoutReasoning === null ? null : withoutReasoning + (reasoningTokens ?? 0));
  const includedRead = first(CACHE_READ);
  const includedWrite = first(CACHE_WRITE);
  const cacheReadTokens = includedRead ?? counts.get(ANTHROPIC_CACHE_READ) ?? null;
  const cacheWriteTokens = includedWrite ?? counts.get(ANTHROPIC_CACHE_WRITE) ?? null;
  const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const isExclusive = includedRead === null && includedWrite === null;
  const inputTokens =
    sentInput !== null && (isExclusive || cached > sentInput) ? sentInput + cached : sentInput;
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
