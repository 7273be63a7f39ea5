import { type LlmAnswer, LlmCall, type WrapOptions } from "./llm-call.ts";
import { observeStream } from "./observe-stream.ts";
import { quietly } from "./quietly.ts";
import { type Fields, fieldsOf, listOf, numberOf, parseJson, textOf, toolNames } from "./read-json.ts";
import { span } from "./record.ts";

export type { Price, WrapOptions } from "./llm-call.ts";

type Method = (...args: unknown[]) => unknown;

/**
 * A language model of the AI SDK whose calls are recorded, whichever function uses it (generateText, streamText, an
 * agent): one span a step, with every tool the model chose as a decision.
 */
export function wrapModel<Model extends object>(model: Model, options: WrapOptions = {}): Model {
  const begin = (args: unknown[]) => {
    const { prompt, tools, ...settings } = fieldsOf(args[0]);
    const { modelId, provider } = model as Fields;
    const { abortSignal, headers, providerOptions, responseFormat, toolChoice, ...plain } = settings;
    return new LlmCall(
      {
        name: textOf(provider) ?? "language model",
        model: textOf(modelId),
        input: prompt,
        tools: toolNames(tools),
        settings: { ...plain, toolChoice, providerOptions },
      },
      options,
    );
  };
  return new Proxy(model, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      const method = (value as Method).bind(target);
      if (key === "doGenerate") return (...args: unknown[]) => generate(begin(args), () => method(...args));
      if (key === "doStream") return (...args: unknown[]) => stream(begin(args), () => method(...args));
      return method;
    },
  });
}

/** Tools of the AI SDK whose executions are recorded as spans. */
export function wrapTools<Tools extends object>(tools: Tools): Tools {
  const wrapped = Object.entries(tools).map(([name, tool]: [string, unknown]) => {
    const { execute } = fieldsOf(tool);
    if (typeof execute !== "function") return [name, tool];
    const run = (input: unknown, ...rest: unknown[]) => {
      const result: unknown = execute.call(tool, input, ...rest);
      return result;
    };
    // A tool that yields as it goes is handed through: its results are seen in the model's next input.
    const observed = isGenerator(execute)
      ? run
      : (input: unknown, ...rest: unknown[]) =>
          span(name, { type: "TOOL_CALL", input }, () => run(input, ...rest));
    return [name, Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute: observed })];
  });
  return Object.fromEntries(wrapped);
}

const isGenerator = (run: object) => /Generator/.test(Object.prototype.toString.call(run));

async function generate(call: LlmCall, run: () => unknown): Promise<unknown> {
  try {
    const result = await run();
    quietly(() => call.end(readResult(result)));
    return result;
  } catch (error) {
    call.fail(error);
    throw error;
  }
}

async function stream(call: LlmCall, run: () => unknown): Promise<unknown> {
  try {
    const result = await run();
    const { stream: parts } = fieldsOf(result);
    if (!(parts instanceof ReadableStream)) {
      call.end({});
      return result;
    }
    return { ...fieldsOf(result), stream: observe(parts, call) };
  } catch (error) {
    call.fail(error);
    throw error;
  }
}

function observe(parts: ReadableStream<unknown>, call: LlmCall): ReadableStream<unknown> {
  const seen = new PartStream();
  return observeStream(parts, {
    add: (part) => seen.add(part),
    // A failure comes as a part of the stream; who leaves early has not failed.
    end: (message) =>
      message === undefined && seen.error !== undefined
        ? call.fail(seen.error)
        : call.end(seen.answer(), message),
    fail: (error) => call.fail(error),
  });
}

function readResult(result: unknown): LlmAnswer {
  const { content, usage, finishReason, response } = fieldsOf(result);
  const parts = listOf(content).map(fieldsOf);
  const textsOf = (type: string) =>
    parts
      .filter((part) => part.type === type)
      .flatMap((part) => textOf(part.text) ?? [])
      .join("\n");
  const { inputTokens, outputTokens } = fieldsOf(usage);
  return {
    model: textOf(fieldsOf(response).modelId),
    output: parts,
    inputTokens: tokensOf(inputTokens),
    outputTokens: tokensOf(outputTokens),
    toolCalls: parts
      .filter((part) => part.type === "tool-call")
      .map(({ toolName, input }) => ({ name: textOf(toolName) ?? "unknown", input: parseJson(input) })),
    reasoning: textsOf("reasoning") || textsOf("text"),
    finishReason: textOf(finishReason) ?? textOf(fieldsOf(finishReason).unified),
  };
}

/** A number in older versions of the interface, with parts in newer ones. */
const tokensOf = (tokens: unknown) => numberOf(tokens) ?? numberOf(fieldsOf(tokens).total);

/** Puts the content together from its pieces. */
class PartStream {
  error: unknown;
  readonly #content: Record<string, unknown>[] = [];
  readonly #open = new Map<string, Record<string, unknown>>();
  #finish: Fields = {};
  #response: unknown;

  add(part: unknown): void {
    const fields = fieldsOf(part);
    const [, kind, step] = /^(text|reasoning)-(start|delta)$/.exec(String(fields.type)) ?? [];
    const key = `${kind} ${String(fields.id)}`;
    if (step === "start") this.#begin(key, { type: kind, text: "" });
    if (step === "delta") {
      const piece = this.#open.get(key) ?? this.#begin(key, { type: kind, text: "" });
      piece.text = `${piece.text}${textOf(fields.delta) ?? ""}`;
    }
    if (fields.type === "tool-call") this.#content.push({ ...fields });
    if (fields.type === "response-metadata") this.#response = fields;
    if (fields.type === "finish") this.#finish = fields;
    if (fields.type === "error") this.error = fields.error ?? "error";
  }

  #begin(key: string, piece: Record<string, unknown>): Record<string, unknown> {
    this.#open.set(key, piece);
    this.#content.push(piece);
    return piece;
  }

  answer(): LlmAnswer {
    return readResult({ ...this.#finish, content: this.#content, response: this.#response });
  }
}
