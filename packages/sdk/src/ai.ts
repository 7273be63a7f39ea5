import type { Usage } from "./observe/call-cost.ts";
import { LlmCall, type LlmResponse, type WrapOptions } from "./observe/llm-call.ts";
import { observeCall } from "./observe/observe-call.ts";
import { observeStream } from "./observe/observe-stream.ts";
import {
  asArray,
  asNumber,
  asObject,
  type JsonObject,
  nonEmptyString,
  parseJson,
  toolNames,
} from "./observe/read-json.ts";
import { reportErrors } from "./report-errors.ts";

export type { Price } from "./observe/call-cost.ts";
export type { WrapOptions } from "./observe/llm-call.ts";

type Method = (...args: unknown[]) => unknown;

/**
 * Returns a language model of the AI SDK whose calls are recorded, whether by generateText, streamText or an agent: one
 * span per step, and one decision for every step in which the model calls tools.
 */
export function wrapModel<Model extends object>(model: Model, options: WrapOptions = {}): Model {
  const startCall = (args: unknown[]) => {
    const { prompt, tools, ...settings } = asObject(args[0]);
    const { modelId, provider } = model as JsonObject;
    const { abortSignal, headers, providerOptions, responseFormat, toolChoice, ...plain } = settings;
    return new LlmCall(
      {
        name: nonEmptyString(provider) ?? "language model",
        model: nonEmptyString(modelId),
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
      if (key === "doGenerate")
        return (...args: unknown[]) => observeGenerate(startCall(args), () => method(...args));
      if (key === "doStream")
        return (...args: unknown[]) => observeDoStream(startCall(args), () => method(...args));
      return method;
    },
  });
}

/** Returns tools of the AI SDK whose executions are recorded as spans. */
export function wrapTools<Tools extends object>(tools: Tools): Tools {
  const wrapped = Object.entries(tools).map(([name, tool]: [string, unknown]) => {
    const { execute } = asObject(tool);
    if (typeof execute !== "function") return [name, tool];
    const observed = (input: unknown, ...rest: unknown[]) =>
      observeCall(name, { type: "TOOL_CALL", input }, () => execute.call(tool, input, ...rest));
    return [name, Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute: observed })];
  });
  return Object.fromEntries(wrapped);
}

async function observeGenerate(call: LlmCall, run: () => unknown): Promise<unknown> {
  try {
    const result = await run();
    reportErrors(() => call.end(readResult(result)));
    return result;
  } catch (error) {
    call.fail(error);
    throw error;
  }
}

async function observeDoStream(call: LlmCall, run: () => unknown): Promise<unknown> {
  try {
    const result = await run();
    const { stream: parts } = asObject(result);
    if (!(parts instanceof ReadableStream)) {
      call.end({});
      return result;
    }
    return { ...asObject(result), stream: observeParts(parts, call) };
  } catch (error) {
    call.fail(error);
    throw error;
  }
}

function observeParts(parts: ReadableStream<unknown>, call: LlmCall): ReadableStream<unknown> {
  const reader = new PartReader();
  return observeStream(parts, {
    add: (part) => reader.add(part),
    end: (message) => call.end(reader.response(), message),
    fail: (error) => call.fail(error, reader.response()),
  });
}

function readResult(result: unknown): LlmResponse {
  const { content, usage, finishReason, response } = asObject(result);
  const parts = asArray(content).map(asObject);
  const joinText = (type: string) =>
    parts
      .filter((part) => part.type === type)
      .flatMap((part) => nonEmptyString(part.text) ?? [])
      .join("\n");
  const reason = nonEmptyString(finishReason) ?? nonEmptyString(asObject(finishReason).unified);
  return {
    model: nonEmptyString(asObject(response).modelId),
    output: parts,
    ...usageOf(usage),
    toolCalls: parts
      .filter((part) => part.type === "tool-call")
      .map(({ toolName, input }) => ({
        name: nonEmptyString(toolName) ?? "unknown",
        input: parseJson(input),
      })),
    reasoning: joinText("reasoning") || joinText("text"),
    finishReason: reason,
    error: reason === "error" ? "the model call finished with an error" : undefined,
  };
}

/** Older versions of the AI SDK return numbers, newer ones objects. */
function usageOf(usage: unknown): Usage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = asObject(usage);
  const [input, output] = [asObject(inputTokens), asObject(outputTokens)];
  return {
    inputTokens: asNumber(inputTokens) ?? asNumber(input.total),
    outputTokens: asNumber(outputTokens) ?? asNumber(output.total),
    cacheReadTokens: asNumber(cachedInputTokens ?? input.cacheRead),
    cacheWriteTokens: asNumber(input.cacheWrite),
    reasoningTokens: asNumber(reasoningTokens ?? output.reasoning),
  };
}

/** Assembles the content from the parts of a stream. */
class PartReader {
  #error: unknown;
  readonly #content: Record<string, unknown>[] = [];
  readonly #open = new Map<string, Record<string, unknown>>();
  #finish: JsonObject = {};
  #response: unknown;

  add(part: unknown): void {
    const fields = asObject(part);
    const [, kind, step] = /^(text|reasoning)-(start|delta)$/.exec(String(fields.type)) ?? [];
    const key = `${kind} ${String(fields.id)}`;
    if (step === "start") this.#startPiece(key, { type: kind, text: "" });
    if (step === "delta") {
      const piece = this.#open.get(key) ?? this.#startPiece(key, { type: kind, text: "" });
      piece.text = `${piece.text}${nonEmptyString(fields.delta) ?? ""}`;
    }
    if (fields.type === "tool-call") this.#content.push({ ...fields });
    if (fields.type === "response-metadata") this.#response = fields;
    if (fields.type === "finish") this.#finish = fields;
    if (fields.type === "error") this.#error = fields.error ?? "error";
  }

  #startPiece(key: string, piece: Record<string, unknown>): Record<string, unknown> {
    this.#open.set(key, piece);
    this.#content.push(piece);
    return piece;
  }

  response(): LlmResponse {
    const response = readResult({ ...this.#finish, content: this.#content, response: this.#response });
    // The AI SDK reports an error as a part of the stream.
    return { ...response, error: this.#error ?? response.error };
  }
}
