import { LlmCall, type LlmResponse, type ToolCall, type WrapOptions } from "./llm-call.ts";
import { type StreamReader, wrapClient } from "./observe-fetch.ts";
import {
  asArray,
  asNumber,
  asObject,
  type JsonObject,
  nonEmptyString,
  parseJson,
  toolNames,
} from "./read-json.ts";

export type { Price, WrapOptions } from "./llm-call.ts";

/**
 * Returns an OpenAI client whose calls are recorded: chat completions, responses and embeddings, streamed or not, with a
 * decision for every tool that the model calls. It also works with other providers that offer an OpenAI-compatible API.
 */
export function wrapOpenAI<Client extends object>(client: Client, options: WrapOptions = {}): Client {
  return wrapClient(client, {
    startCall(path, body) {
      const name = SPAN_NAMES.find(([end]) => path.endsWith(end))?.[1];
      if (!name) return undefined;
      const { model, messages, input, instructions, prompt, tools, functions, stream, ...settings } =
        asObject(body);
      return new LlmCall(
        {
          name,
          model: nonEmptyString(model),
          input: messages ?? (instructions === undefined ? (input ?? prompt) : { instructions, input }),
          tools: [...toolNames(tools), ...toolNames(functions)],
          settings: { ...settings, ...(stream === true && { stream }) },
        },
        options,
      );
    },
    readResponse: (path, body) => (path.endsWith("/responses") ? readResponse(body) : readCompletion(body)),
    createStreamReader: (path) =>
      path.endsWith("/responses") ? new ResponseReader() : new CompletionReader(),
  });
}

const SPAN_NAMES = [
  ["/chat/completions", "openai chat"],
  ["/responses", "openai response"],
  ["/embeddings", "openai embeddings"],
  ["/completions", "openai completion"],
] as const;

function readCompletion(body: unknown): LlmResponse {
  const { model, choices, usage, data } = asObject(body);
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
    ...usageOf(usage),
    toolCalls: asArray(message.tool_calls).map(toolCallOf),
    reasoning: reasoningOf(message) ?? nonEmptyString(message.content),
    finishReason: nonEmptyString(asObject(asArray(choices)[0]).finish_reason),
  };
}

/** OpenAI does not return these fields, but many OpenAI-compatible providers do. */
const reasoningOf = (message: JsonObject) =>
  nonEmptyString(message.reasoning_content) ?? nonEmptyString(message.reasoning);

function toolCallOf(call: unknown): ToolCall {
  const { function: called, custom } = asObject(call);
  const { name, arguments: input, input: text } = asObject(called ?? custom);
  return { name: nonEmptyString(name) ?? "unknown", input: parseJson(input ?? text) };
}

function usageOf(usage: unknown): Pick<LlmResponse, "inputTokens" | "outputTokens"> {
  const { prompt_tokens, completion_tokens, input_tokens, output_tokens } = asObject(usage);
  return {
    inputTokens: asNumber(prompt_tokens ?? input_tokens),
    outputTokens: asNumber(completion_tokens ?? output_tokens),
  };
}

/** Assembles the message of the first choice. */
class CompletionReader implements StreamReader {
  #model: string | undefined;
  #content = "";
  #reasoning = "";
  #finishReason: string | undefined;
  #usage: unknown;
  readonly #calls = new Map<unknown, { id?: unknown; name: string; arguments: string }>();

  add(event: unknown): void {
    const { model, choices, usage } = asObject(event);
    this.#model ??= nonEmptyString(model);
    this.#usage = usage ?? this.#usage;
    const choice = asObject(asArray(choices).find((one) => (asObject(one).index ?? 0) === 0));
    this.#finishReason = nonEmptyString(choice.finish_reason) ?? this.#finishReason;
    const delta = asObject(choice.delta);
    this.#content += nonEmptyString(delta.content) ?? nonEmptyString(choice.text) ?? "";
    this.#reasoning += reasoningOf(delta) ?? "";
    for (const piece of asArray(delta.tool_calls)) {
      const { index, id, function: called } = asObject(piece);
      const call = this.#calls.get(index) ?? { id, name: "", arguments: "" };
      call.name += nonEmptyString(asObject(called).name) ?? "";
      call.arguments += nonEmptyString(asObject(called).arguments) ?? "";
      this.#calls.set(index, call);
    }
  }

  response(): LlmResponse {
    const calls = [...this.#calls.values()];
    return {
      model: this.#model,
      output: {
        role: "assistant",
        content: this.#content,
        ...(this.#reasoning && { reasoning: this.#reasoning }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      ...usageOf(this.#usage),
      toolCalls: calls.map(({ name, arguments: input }) => ({ name, input: parseJson(input) })),
      reasoning: this.#reasoning || this.#content,
      finishReason: this.#finishReason,
    };
  }
}

function readResponse(body: unknown): LlmResponse {
  const { model, output, usage, status } = asObject(body);
  const items = asArray(output).map(asObject);
  const joinText = (type: string, ...fields: string[]) =>
    items
      .filter((item) => item.type === type)
      .flatMap((item) => fields.flatMap((field) => asArray(item[field])))
      .flatMap((part) => nonEmptyString(asObject(part).text) ?? [])
      .join("\n");
  return {
    model: nonEmptyString(model),
    output: items,
    ...usageOf(usage),
    toolCalls: items.filter(isToolCall).map(({ name, type, arguments: input, input: text }) => ({
      // A built-in tool such as web search has a type but no name.
      name: nonEmptyString(name) ?? String(type).replace(/_call$/, ""),
      input: parseJson(input ?? text),
    })),
    reasoning: joinText("reasoning", "summary", "content") || joinText("message", "content"),
    finishReason: nonEmptyString(status),
  };
}

const isToolCall = ({ type }: JsonObject) => typeof type === "string" && type.endsWith("_call");

/** The last event holds the whole response. If the stream ends early, only the text is known. */
class ResponseReader implements StreamReader {
  #last: unknown;
  #text = "";

  add(event: unknown): void {
    const { type, response, delta } = asObject(event);
    if (response !== undefined) this.#last = response;
    if (type === "response.output_text.delta") this.#text += nonEmptyString(delta) ?? "";
  }

  response(): LlmResponse {
    const response = readResponse(this.#last);
    return asArray(response.output).length > 0 ? response : { ...response, output: this.#text };
  }
}
