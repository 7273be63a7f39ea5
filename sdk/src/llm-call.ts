import { span } from "./record.ts";
import type { SpanHandle } from "./types.ts";

/** USD per million tokens. */
export interface Price {
  input: number;
  output: number;
}

export interface WrapOptions {
  /**
   * Keys are model names as the provider returns them, or prefixes of them: { "gpt-5": { input: 1.25, output: 10 } }.
   * A call of a model without a price is recorded without a cost.
   */
  prices?: Readonly<Record<string, Price>> | undefined;
}

export interface ToolCall {
  name: string;
  input: unknown;
}

/** A model's response in a form that is the same for every provider. */
export interface LlmResponse {
  model?: string | undefined;
  output?: unknown;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  toolCalls?: ToolCall[] | undefined;
  /** The model's reasoning, or else the text next to the tool calls. */
  reasoning?: string | undefined;
  finishReason?: string | undefined;
}

export interface LlmRequest {
  name: string;
  model?: string | undefined;
  input: unknown;
  /** Names of the tools the model may call. */
  tools: string[];
  settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Records one model call as a span. */
export class LlmCall {
  readonly span: SpanHandle;
  readonly #request: LlmRequest;
  readonly #prices: WrapOptions["prices"];

  constructor(request: LlmRequest, options: WrapOptions, startSpan: typeof span = span) {
    this.#request = request;
    this.#prices = options.prices;
    const { name, model, input, tools, settings } = request;
    this.span = startSpan(name, {
      type: "LLM_CALL",
      input,
      metadata: { ...settings, ...(model && { model }), ...(tools.length > 0 && { tools }) },
    });
  }

  /** Records each tool call as a decision: `chosen` is the called tool, `alternatives` are the tools not called. */
  end(response: LlmResponse, statusMessage?: string): void {
    const { model, toolCalls = [], inputTokens, outputTokens, finishReason, reasoning, output } = response;
    const called = new Map(toolCalls.map((call) => [call.name, call]));
    const others = this.#request.tools.filter((tool) => !called.has(tool));
    for (const { name, input } of called.values())
      void this.span.decide("TOOL_SELECTION", {
        options: [name, ...others],
        chosen: name,
        reasoning: reasoning || undefined,
        contextSnapshot: { arguments: input },
      });
    this.span.end({
      output,
      statusMessage,
      ...this.#usage(model ?? this.#request.model, inputTokens, outputTokens),
      metadata: { model, finishReason, inputTokens, outputTokens },
    });
  }

  fail(error: unknown): void {
    this.span.fail(error);
  }

  #usage(model: string | undefined, inputTokens: number | undefined, outputTokens: number | undefined) {
    if (inputTokens === undefined && outputTokens === undefined) return {};
    const price = priceOf(model, this.#prices);
    const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
    return {
      tokenCount: input + output,
      ...(price && { costUsd: (input * price.input + output * price.output) / 1_000_000 }),
    };
  }
}

/** Uses the longest prefix of the model's name, because dated versions of a model share a price. */
function priceOf(model: string | undefined, prices: WrapOptions["prices"] = {}): Price | undefined {
  const names = Object.keys(prices).filter((name) => model?.startsWith(name));
  const longest = names.reduce((best, name) => (name.length > best.length ? name : best), "");
  return prices[longest];
}
