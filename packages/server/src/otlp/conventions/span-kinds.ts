import { SPAN_TYPES, type SpanType } from "@whytrace/contract";
import type { OtlpValue } from "../decode/otlp-span.ts";

/*
 * The words with which instrumentations say what kind of work a span is, without case and punctuation. They agree so far
 * that one table serves all of them. A word that is not here says nothing: the next attribute decides.
 */
const WORDS: Readonly<Record<Exclude<SpanType, "CUSTOM">, string>> = {
  LLM_CALL: `
    llm chat text_completion generate_content embeddings embedding generation decide model embedder llm_request
    ai.generateText.doGenerate ai.streamText.doStream ai.generateObject.doGenerate ai.streamObject.doStream
    ai.embed.doEmbed ai.embedMany.doEmbed`,
  TOOL_CALL: "tool execute_tool ai.toolCall tools/call",
  MEMORY_OP: "retriever retrieval reranker rerank indexer memory",
  CHAIN: `
    chain workflow invoke_workflow task agent_step model_generation execute_node flow prompt util
    ai.embed ai.embedMany`,
  AGENT: `
    agent invoke_agent create_agent interaction
    ai.generateText ai.streamText ai.generateObject ai.streamObject`,
};

const letters = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, "");

const TYPE_BY_WORD = new Map<string, SpanType>();
for (const type of SPAN_TYPES) {
  if (type === "CUSTOM") continue;
  for (const word of WORDS[type].trim().split(/\s+/)) TYPE_BY_WORD.set(letters(word), type);
}
/** Spellings that have been met, so that the same few words are not normalised again and again. */
const seen = new Map<string, SpanType | undefined>();
const MAX_SEEN = 1_000;

/** The type that a word stands for; undefined if it is unknown. */
export function spanTypeOf(word: OtlpValue): SpanType | undefined {
  if (typeof word !== "string") return undefined;
  if (seen.has(word)) return seen.get(word);
  const type = TYPE_BY_WORD.get(letters(word));
  if (seen.size < MAX_SEEN && word.length < 100) seen.set(word, type);
  return type;
}
