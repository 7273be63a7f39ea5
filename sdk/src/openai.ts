import { type LlmAnswer, LlmCall, type ToolCall, type WrapOptions } from "./llm-call.ts";
import { type StreamReader, watchClient } from "./observe-fetch.ts";
import { type Fields, fieldsOf, listOf, numberOf, parseJson, textOf, toolNames } from "./read-json.ts";

export type { Price, WrapOptions } from "./llm-call.ts";

/**
 * An OpenAI client whose calls are recorded: chat completions, responses, embeddings, streamed or not, with every tool
 * the model chose as a decision. Works with whatever speaks OpenAI's language through this client.
 */
export function wrapOpenAI<Client extends object>(client: Client, options: WrapOptions = {}): Client {
  return watchClient(client, {
    begin(path, body) {
      const name = NAMES.find(([end]) => path.endsWith(end))?.[1];
      if (!name) return undefined;
      const { model, messages, input, instructions, prompt, tools, functions, stream, ...settings } =
        fieldsOf(body);
      return new LlmCall(
        {
          name,
          model: textOf(model),
          input: messages ?? (instructions === undefined ? (input ?? prompt) : { instructions, input }),
          tools: [...toolNames(tools), ...toolNames(functions)],
          settings: { ...settings, ...(stream === true && { stream }) },
        },
        options,
      );
    },
    read: (path, body) => (path.endsWith("/responses") ? readResponse(body) : readCompletion(body)),
    stream: (path) => (path.endsWith("/responses") ? new ResponseStream() : new CompletionStream()),
  });
}

const NAMES = [
  ["/chat/completions", "openai chat"],
  ["/responses", "openai response"],
  ["/embeddings", "openai embeddings"],
  ["/completions", "openai completion"],
] as const;

function readCompletion(body: unknown): LlmAnswer {
  const { model, choices, usage, data } = fieldsOf(body);
  const messages = listOf(choices).map((choice) => fieldsOf(choice).message ?? fieldsOf(choice).text);
  const message = fieldsOf(messages[0]);
  return {
    model: textOf(model),
    output:
      data === undefined
        ? messages.length > 1
          ? messages
          : messages[0]
        : `${listOf(data).length} embeddings`,
    ...usageOf(usage),
    toolCalls: listOf(message.tool_calls).map(toolCallOf),
    reasoning: reasoningOf(message) ?? textOf(message.content),
    finishReason: textOf(fieldsOf(listOf(choices)[0]).finish_reason),
  };
}

/** Not OpenAI's own, but of many that speak its language. */
const reasoningOf = (message: Fields) => textOf(message.reasoning_content) ?? textOf(message.reasoning);

function toolCallOf(call: unknown): ToolCall {
  const { function: called, custom } = fieldsOf(call);
  const { name, arguments: input, input: text } = fieldsOf(called ?? custom);
  return { name: textOf(name) ?? "unknown", input: parseJson(input ?? text) };
}

function usageOf(usage: unknown): Pick<LlmAnswer, "inputTokens" | "outputTokens"> {
  const { prompt_tokens, completion_tokens, input_tokens, output_tokens } = fieldsOf(usage);
  return {
    inputTokens: numberOf(prompt_tokens ?? input_tokens),
    outputTokens: numberOf(completion_tokens ?? output_tokens),
  };
}

/** Puts the first choice's message together from its pieces. */
class CompletionStream implements StreamReader {
  #model: string | undefined;
  #content = "";
  #reasoning = "";
  #finishReason: string | undefined;
  #usage: unknown;
  readonly #calls = new Map<unknown, { id?: unknown; name: string; arguments: string }>();

  add(event: unknown): void {
    const { model, choices, usage } = fieldsOf(event);
    this.#model ??= textOf(model);
    this.#usage = usage ?? this.#usage;
    const choice = fieldsOf(listOf(choices).find((one) => (fieldsOf(one).index ?? 0) === 0));
    this.#finishReason = textOf(choice.finish_reason) ?? this.#finishReason;
    const delta = fieldsOf(choice.delta);
    this.#content += textOf(delta.content) ?? textOf(choice.text) ?? "";
    this.#reasoning += reasoningOf(delta) ?? "";
    for (const piece of listOf(delta.tool_calls)) {
      const { index, id, function: called } = fieldsOf(piece);
      const call = this.#calls.get(index) ?? { id, name: "", arguments: "" };
      call.name += textOf(fieldsOf(called).name) ?? "";
      call.arguments += textOf(fieldsOf(called).arguments) ?? "";
      this.#calls.set(index, call);
    }
  }

  answer(): LlmAnswer {
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

function readResponse(body: unknown): LlmAnswer {
  const { model, output, usage, status } = fieldsOf(body);
  const items = listOf(output).map(fieldsOf);
  const textsOf = (type: string, ...fields: string[]) =>
    items
      .filter((item) => item.type === type)
      .flatMap((item) => fields.flatMap((field) => listOf(item[field])))
      .flatMap((part) => textOf(fieldsOf(part).text) ?? [])
      .join("\n");
  return {
    model: textOf(model),
    output: items,
    ...usageOf(usage),
    toolCalls: items.filter(isToolCall).map(({ name, type, arguments: input, input: text }) => ({
      // A built-in tool such as web search has no name but its kind.
      name: textOf(name) ?? String(type).replace(/_call$/, ""),
      input: parseJson(input ?? text),
    })),
    reasoning: textsOf("reasoning", "summary", "content") || textsOf("message", "content"),
    finishReason: textOf(status),
  };
}

const isToolCall = ({ type }: Fields) => typeof type === "string" && type.endsWith("_call");

/** The last event holds the whole response; until then its text is all there is. */
class ResponseStream implements StreamReader {
  #last: unknown;
  #text = "";

  add(event: unknown): void {
    const { type, response, delta } = fieldsOf(event);
    if (response !== undefined) this.#last = response;
    if (type === "response.output_text.delta") this.#text += textOf(delta) ?? "";
  }

  answer(): LlmAnswer {
    const answer = readResponse(this.#last);
    return listOf(answer.output).length > 0 ? answer : { ...answer, output: this.#text };
  }
}
