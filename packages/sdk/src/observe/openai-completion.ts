import type { LlmResponse } from "./llm-call.ts";
import type { StreamReader } from "./observe-fetch.ts";
import { openaiUsage } from "./openai-usage.ts";
import { asArray, asObject, errorText, type JsonObject, nonEmptyString, parseJson } from "./read-json.ts";
import type { ToolCall } from "./tool-call.ts";

/** Reads a chat completion, a completion or embeddings. */
export function readCompletion(body: unknown): LlmResponse {
  const { model, choices, usage, data, error } = asObject(body);
  const messages = asArray(choices).map((choice) => asObject(choice).message ?? asObject(choice).text);
  const message = asObject(messages[0]);
  return {
    model: nonEmptyString(model),
    output:
      data === undefined
        ? messages.length > 1
          ? messages
          : messages[0]
        : `${asArray(data).length} embeddings`,
    ...openaiUsage(usage),
    toolCalls: asArray(message.tool_calls).map(toolCallOf),
    reasoning: reasoningOf(message) ?? nonEmptyString(message.content),
    finishReason: nonEmptyString(asObject(asArray(choices)[0]).finish_reason),
    // OpenAI responds with another status, but some OpenAI-compatible providers respond with status 200.
    error: error ? (errorText(body) ?? "error") : undefined,
  };
}

/** OpenAI does not return these fields, but many OpenAI-compatible providers do. */
const reasoningOf = (message: JsonObject) =>
  nonEmptyString(message.reasoning_content) ?? nonEmptyString(message.reasoning);

function toolCallOf(call: unknown): ToolCall {
  const { function: called, custom } = asObject(call);
  const { name, arguments: json, input: text } = asObject(called ?? custom);
  return { name: nonEmptyString(name) ?? "unknown", input: text ?? parseJson(json) };
}

interface StreamedCall {
  id: unknown;
  type: "function" | "custom";
  name: string;
  /** JSON of a function's arguments, or the text that a custom tool takes. */
  input: string;
}

/** Assembles the message of the first choice. */
export class CompletionReader implements StreamReader {
  #model: string | undefined;
  #content = "";
  #reasoning = "";
  #finishReason: string | undefined;
  #usage: unknown;
  #error: string | undefined;
  readonly #calls = new Map<unknown, StreamedCall>();

  add(event: unknown): void {
    const { model, choices, usage, error } = asObject(event);
    if (error) this.#error = errorText(event) ?? "error";
    this.#model ??= nonEmptyString(model);
    this.#usage = usage ?? this.#usage;
    const choice = asObject(asArray(choices).find((one) => (asObject(one).index ?? 0) === 0));
    this.#finishReason = nonEmptyString(choice.finish_reason) ?? this.#finishReason;
    const delta = asObject(choice.delta);
    this.#content += nonEmptyString(delta.content) ?? nonEmptyString(choice.text) ?? "";
    this.#reasoning += reasoningOf(delta) ?? "";
    for (const piece of asArray(delta.tool_calls)) {
      const { index, id, function: called, custom } = asObject(piece);
      const call = this.#calls.get(index) ?? {
        id,
        type: custom ? "custom" : "function",
        name: "",
        input: "",
      };
      const { name, arguments: json, input } = asObject(called ?? custom);
      call.name += nonEmptyString(name) ?? "";
      call.input += nonEmptyString(json ?? input) ?? "";
      this.#calls.set(index, call);
    }
  }

  response(): LlmResponse {
    const calls = [...this.#calls.values()].map(({ id, type, name, input }) =>
      type === "custom"
        ? { id, type, custom: { name, input } }
        : { id, type, function: { name, arguments: input } },
    );
    return {
      model: this.#model,
      output: {
        role: "assistant",
        content: this.#content,
        ...(this.#reasoning && { reasoning: this.#reasoning }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      ...openaiUsage(this.#usage),
      toolCalls: calls.map(toolCallOf),
      reasoning: this.#reasoning || this.#content,
      finishReason: this.#finishReason,
      error: this.#error,
    };
  }
}
