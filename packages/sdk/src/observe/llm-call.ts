import { span } from "../record.ts";
import type { SpanHandle } from "../types.ts";
import { callCost, type Prices, type Usage } from "./call-cost.ts";
import { offeredName, type ToolCall } from "./tool-call.ts";

export interface WrapOptions {
  /** Prices by model. A call of a model without a price is recorded without a cost. */
  prices?: Prices | undefined;
}

/** A model's response in a form that is the same for every provider. */
export interface LlmResponse extends Usage {
  model?: string | undefined;
  output?: unknown;
  toolCalls?: ToolCall[] | undefined;
  /** The model's reasoning, or else the text next to the tool calls. */
  reasoning?: string | undefined;
  finishReason?: string | undefined;
  /** Set if the provider reported an error in a response with status 200. */
  error?: unknown;
}

interface LlmRequest {
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
  readonly #prices: Prices | undefined;

  constructor(request: LlmRequest, options: WrapOptions, startSpan: typeof span = span) {
    this.#request = request;
    this.#prices = options.prices;
    const { name, model, input, tools, settings } = request;
    this.span = startSpan(name, {
      type: "LLM_CALL",
      keepsTraceOpen: true,
      input,
      metadata: { ...settings, ...(model && { model }), ...(tools.length > 0 && { tools }) },
    });
  }

  end(response: LlmResponse, statusMessage?: string): void {
    if (response.error !== undefined) {
      this.fail(response.error, response);
      return;
    }
    this.#recordDecision(response);
    this.span.end({ ...this.#fields(response), statusMessage });
  }

  /** `partial` is what the model had returned before the error. */
  fail(error: unknown, partial: LlmResponse = {}): void {
    this.span.fail(partial.error ?? error, this.#fields(partial));
  }

  /**
   * Records a turn that calls tools as one decision. `chosen` is the called tool, or the list of called tools if there
   * are several; `alternatives` are the tools that were offered and not called.
   */
  #recordDecision({ toolCalls = [], reasoning }: LlmResponse): void {
    const offered = this.#request.tools;
    const calls = toolCalls.map((call) => ({ ...call, offeredAs: offeredName(call, offered) }));
    const made = calls.map(({ name, input, toolset, offeredAs }) => ({
      name: toolset === undefined ? (offeredAs ?? name) : name,
      arguments: input,
    }));
    const [first] = made;
    if (!first) return;
    const chosen = made.length === 1 ? first.name : made.map(({ name }) => name);
    const others = offered.filter((tool) => calls.every(({ offeredAs }) => offeredAs !== tool));
    void this.span.decide<unknown>("TOOL_SELECTION", {
      options: [chosen, ...others],
      chosen,
      reasoning: reasoning || undefined,
      contextSnapshot: made.length === 1 ? { arguments: first.arguments } : { calls: made },
    });
  }

  #fields(response: LlmResponse) {
    const { output, finishReason, inputTokens, outputTokens } = response;
    const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = response;
    const isCounted = inputTokens !== undefined || outputTokens !== undefined;
    const { model = this.#request.model } = response;
    const { costUsd, missingPrice } = isCounted ? callCost(model, response, this.#prices) : {};
    return {
      output,
      costUsd,
      tokenCount: isCounted ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined,
      metadata: {
        model,
        finishReason,
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheWriteTokens,
        reasoningTokens,
        missingPrice,
      },
    };
  }
}
