import type { Message } from "./message.ts";
import { asRecord, readParts, toText } from "./read-parts.ts";

/**
 * The conversation in a model call's input and output: OpenAI chat completions and responses, Anthropic messages, the
 * Vercel AI SDK. Null when it is none of these.
 */
export function readMessages(input: unknown, output: unknown): Message[] | null {
  const asked = readInput(unescaped(input));
  const answered = readOutput(unescaped(output), asked !== null);
  if (!asked && !answered) return null;
  return withToolNames([...(asked ?? []), ...(answered ?? [])]);
}

/** A result often names only the call; the call names the tool. */
function withToolNames(messages: Message[]): Message[] {
  const names = new Map<string, string>();
  for (const { kind, callId, name } of messages.flatMap(({ parts }) => parts))
    if (kind === "call" && callId && name) names.set(callId, name);
  for (const part of messages.flatMap(({ parts }) => parts))
    if (part.kind === "result" && !part.name) part.name = names.get(part.callId ?? "") ?? part.callId;
  return messages;
}

/** A text that holds JSON counts as that JSON. */
function unescaped(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function readInput(input: unknown): Message[] | null {
  if (Array.isArray(input)) return readList(input);
  const record = asRecord(input);
  if (!record) return null;
  const system = record.system ?? record.instructions;
  const head: Message[] =
    typeof system === "string" || Array.isArray(system) ? [{ role: "system", parts: readParts(system) }] : [];
  for (const list of [record.messages, record.input, record.prompt]) {
    const turns = unescaped(list);
    const messages = Array.isArray(turns) ? readList(turns) : null;
    if (messages) return [...head, ...messages];
    if (typeof turns === "string" && (head.length > 0 || "model" in record))
      return [...head, { role: "user", parts: readParts(turns) }];
  }
  return null;
}

function readOutput(output: unknown, isAnswer: boolean): Message[] | null {
  if (typeof output === "string") return isAnswer ? [{ role: "assistant", parts: readParts(output) }] : null;
  if (Array.isArray(output)) return readList(output) ?? assistant(output, isAnswer);
  const record = asRecord(output);
  if (!record) return null;
  if (Array.isArray(record.choices)) {
    const messages = record.choices.map((choice) => asRecord(choice)?.message ?? asRecord(choice)?.delta);
    return readList(messages);
  }
  const response = asRecord(record.response);
  for (const list of [record.output, record.messages, response?.messages]) {
    const messages = Array.isArray(list) ? readList(list) : null;
    if (messages) return messages;
  }
  if (asRecord(record.message)) return readList([record.message]);
  if (typeof record.role === "string") return readList([record]);
  if (Array.isArray(record.content)) return assistant(record.content, isAnswer);
  return readGenerated(record, isAnswer);
}

/** What `generateText` gives back. */
function readGenerated(record: Record<string, unknown>, isAnswer: boolean): Message[] | null {
  const calls = [record.toolCalls, record.tool_calls].find(Array.isArray) ?? [];
  const text = [record.text, record.output_text, record.content].find((value) => typeof value === "string");
  if (!isAnswer || (text === undefined && calls.length === 0)) return null;
  const thought = record.reasoningText ?? record.reasoning;
  return [
    {
      role: "assistant",
      parts: [
        ...(typeof thought === "string" && thought ? [{ kind: "reasoning" as const, text: thought }] : []),
        ...(text ? readParts(text) : []),
        ...readParts(calls),
      ],
    },
  ];
}

const assistant = (content: unknown[], isAnswer: boolean): Message[] | null =>
  isAnswer && content.length > 0 ? [{ role: "assistant", parts: readParts(content) }] : null;

const ITEM_TYPES =
  /^(message|reasoning|function_call|function_call_output|custom_tool_call|custom_tool_call_output)$/;

/** Null unless every item is a turn. */
function readList(items: unknown[]): Message[] | null {
  const messages: Message[] = [];
  for (const item of items) {
    const message = readItem(item);
    if (!message) return null;
    messages.push(message);
  }
  return messages.length > 0 ? messages : null;
}

function readItem(item: unknown): Message | null {
  const record = asRecord(item);
  if (!record) return null;
  const { role, type } = record;
  if (typeof role === "string") return { role, parts: readTurn(record) };
  if (typeof type !== "string" || !ITEM_TYPES.test(type)) return null;
  if (type === "reasoning") {
    const text = toText(record.summary) || toText(record.content);
    return { role: "assistant", parts: [{ kind: "reasoning", text }] };
  }
  const isResult = type.endsWith("_output");
  return { role: isResult ? "tool" : "assistant", parts: readParts([record]) };
}

function readTurn(record: Record<string, unknown>): Message["parts"] {
  const { role, content, parts } = record;
  const calls = Array.isArray(record.tool_calls) ? record.tool_calls : [];
  const thought = record.reasoning_content ?? record.reasoning;
  if (role === "tool" && typeof content === "string")
    return [
      { kind: "result", text: content, name: nameOf(record.name), callId: nameOf(record.tool_call_id) },
    ];
  return [
    ...(typeof thought === "string" && thought ? [{ kind: "reasoning" as const, text: thought }] : []),
    ...readParts(Array.isArray(parts) ? parts : content),
    ...(typeof record.refusal === "string" ? [{ kind: "text" as const, text: record.refusal }] : []),
    ...readParts(calls),
  ];
}

const nameOf = (value: unknown) => (typeof value === "string" ? value : undefined);
