import { absentFields, type ParsedSpan, SPAN, type SpanType } from "@whytrace/contract";
import type { Random } from "@whytrace/demo";
import { prose } from "./prose.ts";
import type { SizeOptions } from "./sizes.ts";

const NAMES: Readonly<Record<SpanType, readonly [string, ...string[]]>> = {
  LLM_CALL: ["chat.completions", "messages.create", "summarise", "classify"],
  TOOL_CALL: ["search_orders", "read_file", "run_tests", "web_search", "fetch_page", "update_ticket"],
  MEMORY_OP: ["recall", "remember", "embed"],
  CHAIN: ["plan-and-act", "retrieve-and-answer"],
  AGENT: ["worker", "reviewer"],
  CUSTOM: ["guardrail", "format-answer"],
};
const TYPES = [
  "LLM_CALL",
  "LLM_CALL",
  "LLM_CALL",
  "LLM_CALL",
  "TOOL_CALL",
  "TOOL_CALL",
  "TOOL_CALL",
  "MEMORY_OP",
  "CHAIN",
  "CUSTOM",
] as const;

interface SpanContext {
  parentSpanId: string | null;
  startedAt: number;
  /** Null while the span is running. */
  durationMs: number | null;
  isFailed: boolean;
}

/** Generates a span like those of the SDKs; the root span is the agent itself. */
export function generateSpan(random: Random, size: SizeOptions, context: SpanContext): ParsedSpan {
  const type = context.parentSpanId === null ? "AGENT" : random.pick(TYPES);
  const isCall = type === "LLM_CALL";
  const { durationMs, startedAt, isFailed } = context;
  return {
    ...absentFields(SPAN),
    id: random.hex(16),
    parentSpanId: context.parentSpanId,
    name: random.pick(NAMES[type]),
    type,
    input: isCall
      ? generatePrompt(random, size)
      : { arguments: { text: prose(random, size.inputCharacters), limit: 10 } },
    output: durationMs === null ? null : generateOutput(random, size, isCall),
    tokenCount: isCall ? random.between(200, 8_000) : null,
    costUsd: isCall ? random.logNormal(0.004, 1) : null,
    durationMs,
    status: isFailed ? "ERROR" : durationMs === null ? "RUNNING" : "COMPLETED",
    statusMessage: isFailed ? "upstream answered 503 after 3 attempts" : null,
    startedAt,
    endedAt: durationMs === null ? null : startedAt + Math.round(durationMs),
    metadata: { attempt: random.between(1, 3), region: "eu-west-1", worker: random.hex(8) },
  };
}

const generatePrompt = (random: Random, { inputCharacters }: SizeOptions) => ({
  model: "large-2025-06",
  temperature: 0.2,
  messages: [
    { role: "system", content: prose(random, Math.floor(inputCharacters / 3)) },
    { role: "user", content: prose(random, Math.floor((inputCharacters * 2) / 3)) },
  ],
});

const generateOutput = (random: Random, { outputCharacters }: SizeOptions, isCall: boolean) =>
  isCall
    ? { role: "assistant", content: prose(random, outputCharacters), finish_reason: "stop" }
    : { ok: true, items: [{ id: random.between(1, 1e9), text: prose(random, outputCharacters) }] };
