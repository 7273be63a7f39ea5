import { parseExactJson } from "../../client/parse-exact-json.ts";
import { asRecord } from "./as-record.ts";
import type { Message } from "./message.ts";
import { readParts, toText } from "./read-parts.ts";
import { unwrapLangChain } from "./unwrap-lang-chain.ts";

export interface MessagesOfCall {
  messages: Message[];
  /** How many of them, at the end, are the output. */
  outputCount: number;
}

/**
 * Reads the conversation from a model call's input and output: OpenAI chat completions and responses, Anthropic
 * messages, the Vercel AI SDK, OpenTelemetry's messages, Gemini, Bedrock or Genkit. Null for any other format. Unknown
 * items inside a conversation are shown as JSON.
 */
export function readMessages(input: unknown, output: unknown): MessagesOfCall | null {
  const inputMessages = readInput(parseIfJson(input));
  const outputMessages = readOutput(parseIfJson(output), inputMessages !== null);
  if (!inputMessages && !outputMessages) return null;
  const sent = withContent(inputMessages ?? unknownMessage("input", input));
  const received = withContent(outputMessages ?? unknownMessage("output", output));
  if (sent.length + received.length === 0) return null;
  return { messages: withToolNames([...sent, ...received]), outputCount: received.length };
}

/** Some instrumentations send messages of which they leave out the content. */
function withContent(messages: Message[]): Message[] {
  return messages.flatMap((message) => {
    const parts = message.parts.filter(
      ({ kind, text }) => kind === "call" || kind === "media" || text.trim() !== "",
    );
    return parts.length === 0 ? [] : expandJson({ ...message, parts });
  });
}

/** Some send a whole conversation, or the parts of a message, as JSON in one text. */
function expandJson(message: Message): Message[] {
  const [part, ...others] = message.parts;
  if (part?.kind !== "text" || others.length > 0 || !/^\[\{"(role|type)":/.test(part.text)) return [message];
  const items = parseIfJson(part.text);
  if (!Array.isArray(items)) return [message];
  if (items.every((item) => typeof asRecord(item)?.role === "string")) return readList(items) ?? [message];
  const isText = (item: unknown) => /^(input_|output_)?text$/.test(String(asRecord(item)?.type));
  return items.every(isText) ? [{ ...message, parts: readParts(items) }] : (readList(items) ?? [message]);
}

/** A value in an unknown format: a text as it is, anything else as JSON, nothing for a missing value. */
const unknownMessage = (role: string, value: unknown): Message[] =>
  value === null || value === undefined
    ? []
    : [{ role, parts: [{ kind: typeof value === "string" ? "text" : "data", text: toText(value) }] }];

/** A tool result often has only the call ID; takes the tool's name from the call. */
function withToolNames(messages: Message[]): Message[] {
  const names = new Map<string, string>();
  for (const { kind, callId, name } of messages.flatMap(({ parts }) => parts))
    if (kind === "call" && callId && name) names.set(callId, name);
  for (const part of messages.flatMap(({ parts }) => parts))
    if (part.kind === "result" && !part.name) part.name = names.get(part.callId ?? "") ?? part.callId;
  return messages;
}

/** Parses a string that contains JSON. */
function parseIfJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseExactJson(value);
  } catch {
    return value;
  }
}

/** LangChain sends lists of conversations, usually of one. */
const unwrapBatch = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && Array.isArray(value[0]) ? value[0] : value;

function readInput(sent: unknown): Message[] | null {
  const input = unwrapBatch(sent);
  if (Array.isArray(input)) return readList(input);
  const record = asRecord(input);
  if (!record) return null;
  const system = record.system ?? record.instructions ?? asRecord(record.config)?.systemInstruction;
  const systemMessages: Message[] =
    typeof system === "string" || Array.isArray(system) ? [{ role: "system", parts: readParts(system) }] : [];
  for (const list of [record.messages, record.input, record.prompt, record.contents]) {
    const items = unwrapBatch(parseIfJson(list));
    const messages = Array.isArray(items) ? readList(items) : null;
    if (messages) return [...systemMessages.filter((one) => !isSameText(one, messages[0])), ...messages];
    if (typeof items === "string" && (systemMessages.length > 0 || "model" in record))
      return [...systemMessages, { role: "user", parts: readParts(items) }];
  }
  return null;
}

/** Some repeat the instructions as the first message. */
const isSameText = (one: Message, other: Message | undefined) =>
  one.role === other?.role && JSON.stringify(one.parts) === JSON.stringify(other.parts);

function readOutput(output: unknown, hasInput: boolean): Message[] | null {
  if (typeof output === "string") return hasInput ? [{ role: "assistant", parts: readParts(output) }] : null;
  if (Array.isArray(output)) {
    const answers = output.map((item) => asRecord(item)?.choices);
    if (answers.length > 0 && answers.every(Array.isArray))
      return readOutput({ choices: answers.flat() }, hasInput);
    // A list without roles is the content of one message.
    const isList = output.some((item) => typeof asRecord(item)?.role === "string") || output.every(readItem);
    return isList ? readList(output) : assistant(output, hasInput);
  }
  const record = unwrapLangChain(output) ?? asRecord(output);
  if (!record) return null;
  const generations = unwrapBatch(record.generations);
  if (Array.isArray(generations))
    return readList(
      generations.map((one) => asRecord(one)?.message ?? { role: "assistant", content: asRecord(one)?.text }),
    );
  if (Array.isArray(record.choices)) {
    const messages = record.choices.map(
      (choice) => asRecord(choice)?.message ?? asRecord(choice)?.delta ?? choice,
    );
    return readList(messages);
  }
  const response = asRecord(record.response);
  for (const list of [record.output, record.messages, response?.messages]) {
    const messages = Array.isArray(list) ? readList(list) : null;
    if (messages) return messages;
  }
  if (asRecord(record.message)) return readList([record.message]);
  if (asRecord(record.content)) return readList([record.content]);
  if (typeof record.role === "string") return readList([record]);
  if (Array.isArray(record.content)) return assistant(record.content, hasInput);
  return readGeneratedText(record, hasInput);
}

/** The result of the AI SDK's `generateText`. */
function readGeneratedText(record: Record<string, unknown>, hasInput: boolean): Message[] | null {
  const calls = [record.toolCalls, record.tool_calls].find(Array.isArray) ?? [];
  const text = [record.text, record.output_text, record.content].find((value) => typeof value === "string");
  if (!hasInput || (text === undefined && calls.length === 0)) return null;
  const reasoning = record.reasoningText ?? record.reasoning;
  return [
    {
      role: "assistant",
      parts: [
        ...(typeof reasoning === "string" && reasoning
          ? [{ kind: "reasoning" as const, text: reasoning }]
          : []),
        ...(text ? readParts(text) : []),
        ...readParts(calls),
      ],
    },
  ];
}

const assistant = (content: unknown[], hasInput: boolean): Message[] | null =>
  hasInput && content.length > 0 ? [{ role: "assistant", parts: readParts(content) }] : null;

const ITEM_TYPES =
  /^(message|reasoning|function_call|function_call_output|function_call_result|custom_tool_call|custom_tool_call_output)$/;

/** Null unless at least one item is a message. An unknown item is shown as JSON, under the name of its type. */
function readList(items: unknown[]): Message[] | null {
  const messages = items.map(readItem);
  if (messages.every((message) => message === null)) return null;
  return messages.flatMap((message, index) => {
    const { type } = asRecord(items[index]) ?? {};
    return message ?? unknownMessage(typeof type === "string" ? type : "unknown item", items[index]);
  });
}

function readItem(item: unknown): Message | null {
  const record = unwrapLangChain(item) ?? asRecord(item);
  if (!record) return null;
  const { role, type } = record;
  if (typeof role === "string") return { role, parts: readMessageParts(record) };
  if (typeof type !== "string" || !ITEM_TYPES.test(type)) return null;
  if (type === "reasoning") {
    const text = toText(record.summary) || toText(record.content);
    return { role: "assistant", parts: [{ kind: "reasoning", text }] };
  }
  const isResult = /_(output|result)$/.test(type);
  return { role: isResult ? "tool" : "assistant", parts: readParts([record]) };
}

function readMessageParts(record: Record<string, unknown>): Message["parts"] {
  const { role, content, parts } = record;
  const calls = Array.isArray(record.tool_calls) ? record.tool_calls : [];
  const reasoning = record.reasoning_content ?? record.reasoning;
  if (role === "tool" && typeof content === "string")
    return [
      {
        kind: "result",
        text: content,
        name: stringOrUndefined(record.name),
        callId: stringOrUndefined(record.tool_call_id),
      },
    ];
  const read = readParts(Array.isArray(parts) ? parts : content);
  if (role === "tool") return read.map((part) => (part.kind === "text" ? { ...part, kind: "result" } : part));
  // Some repeat the calls beside the content that has them.
  const hasCalls = read.some(({ kind }) => kind === "call");
  return [
    ...(typeof reasoning === "string" && reasoning ? [{ kind: "reasoning" as const, text: reasoning }] : []),
    ...read,
    ...(typeof record.refusal === "string" ? [{ kind: "text" as const, text: record.refusal }] : []),
    ...(hasCalls ? [] : readParts(calls)),
  ];
}

const stringOrUndefined = (value: unknown) => (typeof value === "string" ? value : undefined);
