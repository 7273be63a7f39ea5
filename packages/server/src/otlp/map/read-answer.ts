import { asObject, asText, type JsonObject, parsed } from "../decode/attribute-value.ts";
import { shortName } from "../decode/short-name.ts";
import { textKey } from "../decode/text-key.ts";
import type { ToolCall } from "./span-facts.ts";
import { MAX_REASONING_BYTES } from "./storable-reasoning.ts";

/** What a model answered: the tools that it calls, its reasoning, and the text that it says. */
export interface Answer {
  calls: ToolCall[];
  reasoning: string | undefined;
  text: string | undefined;
}

const MAX_DEPTH = 64;
/** No model calls more tools at once. Each becomes a decision. */
const MAX_CALLS = 1_000;

/** Parts of a response that repeat the request, or describe it. A call in there was not made by this answer. */
const NOT_THE_ANSWER = new Set([
  "tools",
  "tool_choice",
  "toolChoice",
  "request",
  "input",
  "instructions",
  "system",
  "metadata",
  "usage",
  "usageMetadata",
  "usage_metadata",
  "response_metadata",
  "providerMetadata",
]);

/**
 * Reads an answer in the format of any provider or framework: OpenAI's chat completions and responses, Anthropic,
 * Gemini, Bedrock, LangChain, Genkit, AI SDK, and the messages of OpenTelemetry and OpenInference. Frameworks nest them
 * in each other, so all of the JSON is searched, and what is said twice counts once.
 */
export function readAnswer(response: unknown): Answer {
  const reader = new AnswerReader();
  reader.visit(parsed(response), 0);
  return reader.answer();
}

class AnswerReader {
  readonly #calls: ToolCall[] = [];
  readonly #callsById = new Set<string>();
  readonly #callsByContent = new Map<string, { isUnnamed: boolean }>();
  readonly #reasoning = new SaidTexts();
  readonly #text = new SaidTexts();

  answer(): Answer {
    return { calls: this.#calls, reasoning: this.#reasoning.joined, text: this.#text.joined };
  }

  /** Visits what is in the field `key`, or in a list in it. */
  visit(value: unknown, depth: number, key = "") {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, depth + 1, key);
      return;
    }
    const part = asObject(value);
    if (!part || isToolResult(part)) return;
    const call = readCall(part, isCallList(key));
    if (call) this.#addCall(call);
    else if (!this.#readReasoning(part)) {
      this.#readText(part);
      for (const [key, inner] of Object.entries(part))
        if (typeof inner === "object" && !NOT_THE_ANSWER.has(key)) this.visit(inner, depth + 1, key);
    }
  }

  /** Calls with ids are told apart by them. A call without id is new unless one with the same content is known. */
  #addCall({ id: sentId, name, arguments: given }: FoundCall) {
    const id = sentId === undefined ? undefined : textKey(sentId);
    if (this.#calls.length === MAX_CALLS || (id !== undefined && this.#callsById.has(id))) return;
    const content = textKey(JSON.stringify([name, given]));
    const same = this.#callsByContent.get(content);
    if (same && (id === undefined || same.isUnnamed)) return;
    if (id !== undefined) this.#callsById.add(id);
    this.#callsByContent.set(content, { isUnnamed: id === undefined });
    this.#calls.push({ name, arguments: given });
  }

  /** Returns whether the part is reasoning and nothing else. */
  #readReasoning(part: JsonObject): boolean {
    const { type } = part;
    if (part.thought === true || (typeof type === "string" && /^(reasoning|thinking)/i.test(type))) {
      for (const text of reasoningTexts(part)) this.#reasoning.add(text);
      return true;
    }
    for (const key of ["reasoning_content", "reasoningContent", "reasoningText", "reasoning", "thinking"])
      for (const text of typeof part[key] === "string"
        ? [part[key]]
        : reasoningTexts(asObject(part[key]) ?? {}))
        if (text !== "") this.#reasoning.add(text);
    return false;
  }

  #readText(part: JsonObject) {
    const { type, role } = part;
    const isTextPart = type === undefined || type === "text" || type === "output_text";
    const text = isTextPart ? (asText(part.text) ?? (type ? asText(part.content) : undefined)) : undefined;
    const content =
      role === "assistant" || role === "model" || type === "ai" ? asText(part.content) : undefined;
    for (const said of [text, content]) if (said !== undefined && said.trim() !== "") this.#text.add(said);
  }
}

/** Texts in their order, each once, up to what is stored as reasoning. So only few of them are long. */
class SaidTexts {
  readonly #texts = new Set<string>();
  #length = 0;

  add(text: string) {
    if (this.#length >= MAX_REASONING_BYTES || this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#length += text.length;
  }

  get joined(): string | undefined {
    return this.#texts.size > 0 ? [...this.#texts].join("\n\n") : undefined;
  }
}

/** The texts of a reasoning part. `summary` is also a setting of the request, then it is a word. */
function reasoningTexts(part: JsonObject): string[] {
  const inner = asObject(part.reasoningText);
  const texts = [part.text, part.content, part.thinking, part.reasoning, inner?.text, ...summaryTexts(part)];
  return texts.filter((text) => typeof text === "string").filter((text) => text !== "");
}

const summaryTexts = ({ summary, content }: JsonObject) =>
  [summary, content]
    .filter((list) => Array.isArray(list))
    .flatMap((list) => list.map((item) => asObject(item)?.text));

const isToolResult = ({ type, role }: JsonObject) =>
  role === "tool" ||
  (typeof type === "string" && /(result|response|output)$/i.test(type) && /tool|function/i.test(type));

interface FoundCall extends ToolCall {
  id: string | undefined;
}

const CALL_TYPE =
  /^(function|function_call|tool_call|tool-call|tool_use|toolUse|server_tool_use|custom_tool_call)$/;

/** In a list of calls, a call need not say that it is one. */
const isCallList = (key: string) => key === "tool_calls" || key === "toolCalls";

function readCall(part: JsonObject, isInCallList: boolean): FoundCall | undefined {
  for (const key of ["functionCall", "function_call", "toolRequest", "toolUse"]) {
    const inner = asObject(part[key]);
    const name = asText(inner?.name);
    if (inner && name !== undefined) return foundCall(name, inner, part);
  }
  const called = asObject(part.function);
  const calledName = asText(called?.name);
  if (called && calledName !== undefined) return foundCall(calledName, called, part);
  const toolName = asText(part.toolName);
  if (toolName !== undefined && !("output" in part) && !("result" in part))
    return foundCall(toolName, part, part);
  const name = asText(part.name);
  const isCall = isInCallList || (typeof part.type === "string" && CALL_TYPE.test(part.type));
  if (name !== undefined && isCall) return foundCall(name, part, part);
  return undefined;
}

const ID_KEYS = ["call_id", "toolCallId", "toolUseId", "tool_use_id", "ref", "id"];
const ARGUMENT_KEYS = ["arguments", "args", "input", "toolInput"];

function foundCall(name: string, call: JsonObject, part: JsonObject): FoundCall {
  const id = ID_KEYS.map((key) => asText(part[key]) ?? asText(call[key])).find(
    (found) => found !== undefined,
  );
  const given = ARGUMENT_KEYS.map((key) => call[key]).find((found) => found !== undefined && found !== null);
  return { id, name: shortName(name), arguments: given === undefined || given === "" ? {} : parsed(given) };
}
