import { type LlmAnswer, LlmCall, type WrapOptions } from "./llm-call.ts";
import { quietly } from "./quietly.ts";
import { fieldsOf, listOf, numberOf, textOf, toolNames } from "./read-json.ts";
import { span } from "./record.ts";
import type { SpanHandle, SpanType } from "./types.ts";

export type { Price, WrapOptions } from "./llm-call.ts";

/** What LangChain calls as a run goes on; it takes a plain object with some of its handlers. */
export interface WhytraceCallbacks {
  name: string;
  /** Handlers run where the caller runs, so that a run finds the trace it is in. */
  awaitHandlers: boolean;
  handleChainStart(chain: unknown, inputs: unknown, runId: string, ...rest: unknown[]): void;
  handleChainEnd(outputs: unknown, runId: string): void;
  handleChainError(error: unknown, runId: string): void;
  handleChatModelStart(
    model: unknown,
    messages: unknown,
    runId: string,
    parentRunId?: string,
    extra?: unknown,
    tags?: unknown,
    metadata?: unknown,
    runName?: string,
  ): void;
  handleLLMStart: WhytraceCallbacks["handleChatModelStart"];
  handleLLMEnd(output: unknown, runId: string): void;
  handleLLMError(error: unknown, runId: string): void;
  handleToolStart(
    tool: unknown,
    input: unknown,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
    runName?: string,
  ): void;
  handleToolEnd(output: unknown, runId: string): void;
  handleToolError(error: unknown, runId: string): void;
  handleRetrieverStart: WhytraceCallbacks["handleToolStart"];
  handleRetrieverEnd(documents: unknown, runId: string): void;
  handleRetrieverError(error: unknown, runId: string): void;
}

/**
 * Callbacks that record LangChain's runs: `chain.invoke(input, { callbacks: [whytraceCallbacks()] })`. A run inside a
 * trace belongs to it; one outside has a trace of its own.
 */
export function whytraceCallbacks(options: WrapOptions = {}): WhytraceCallbacks {
  const runs = new Map<string, SpanHandle>();
  const calls = new Map<string, LlmCall>();

  const open = (parentRunId: unknown): typeof span => {
    const parent = typeof parentRunId === "string" ? runs.get(parentRunId) : undefined;
    return parent ? parent.span.bind(parent) : span;
  };
  const start = (type: SpanType, runId: string, parentRunId: unknown, name: string, input: unknown) =>
    quietly(() => {
      runs.set(runId, open(parentRunId)(name, { type, input }));
    });
  const end = (output: unknown, runId: string) =>
    quietly(() => {
      runs.get(runId)?.end({ output: plain(output) });
      runs.delete(runId);
    });
  const fail = (error: unknown, runId: string) =>
    quietly(() => {
      runs.get(runId)?.fail(error);
      runs.delete(runId);
    });

  const startModel: WhytraceCallbacks["handleChatModelStart"] = (
    model,
    input,
    runId,
    parentRunId,
    extra,
    _,
    metadata,
    runName,
  ) =>
    quietly(() => {
      const {
        tools,
        functions,
        model: asked,
        model_name,
        ...settings
      } = fieldsOf(fieldsOf(extra).invocation_params);
      const request = {
        name: runName ?? nameOf(model, "language model"),
        model: textOf(asked) ?? textOf(model_name) ?? textOf(fieldsOf(metadata).ls_model_name),
        input: plain(listOf(input).length === 1 ? listOf(input)[0] : input),
        tools: [...toolNames(tools), ...toolNames(functions)],
        settings,
      };
      const call = new LlmCall(request, options, open(parentRunId));
      calls.set(runId, call);
    });

  return {
    name: "whytrace",
    awaitHandlers: true,
    // LangChain's types name these otherwise; this is the order in which it hands them over.
    handleChainStart: (chain, inputs, runId, parentRunId, _tags, _metadata, _runType, runName) =>
      start("CHAIN", runId, parentRunId, textOf(runName) ?? nameOf(chain, "chain"), plain(inputs)),
    handleChainEnd: end,
    handleChainError: fail,
    handleChatModelStart: startModel,
    handleLLMStart: startModel,
    handleLLMEnd: (output, runId) =>
      quietly(() => {
        calls.get(runId)?.end(readResult(output));
        calls.delete(runId);
      }),
    handleLLMError: (error, runId) =>
      quietly(() => {
        calls.get(runId)?.fail(error);
        calls.delete(runId);
      }),
    handleToolStart: (tool, input, runId, parentRunId, _tags, _metadata, runName) =>
      start("TOOL_CALL", runId, parentRunId, runName ?? nameOf(tool, "tool"), input),
    handleToolEnd: end,
    handleToolError: fail,
    handleRetrieverStart: (retriever, query, runId, parentRunId, _tags, _metadata, runName) =>
      start("MEMORY_OP", runId, parentRunId, runName ?? nameOf(retriever, "retriever"), query),
    handleRetrieverEnd: end,
    handleRetrieverError: fail,
  };
}

function readResult(result: unknown): LlmAnswer {
  const { generations, llmOutput } = fieldsOf(result);
  const generation = fieldsOf(listOf(listOf(generations)[0])[0]);
  const message = fieldsOf(generation.message);
  const { content, tool_calls, usage_metadata, response_metadata, additional_kwargs } = message;
  const usage = fieldsOf(usage_metadata);
  const { promptTokens, completionTokens } = fieldsOf(fieldsOf(llmOutput).tokenUsage);
  const { model_name, model, finish_reason, stop_reason } = fieldsOf(response_metadata);
  const blocks = listOf(content).map(fieldsOf);
  const textsOf = (...fields: string[]) =>
    blocks.flatMap((block) => fields.flatMap((field) => textOf(block[field]) ?? [])).join("\n");
  return {
    model: textOf(model_name) ?? textOf(model),
    output: generation.message === undefined ? generation.text : plain(generation.message),
    inputTokens: numberOf(usage.input_tokens ?? promptTokens),
    outputTokens: numberOf(usage.output_tokens ?? completionTokens),
    toolCalls: listOf(tool_calls).map((call) => {
      const { name, args } = fieldsOf(call);
      return { name: textOf(name) ?? "unknown", input: args };
    }),
    reasoning:
      textOf(fieldsOf(additional_kwargs).reasoning_content) ??
      (textsOf("thinking", "reasoning") || textOf(content) || textsOf("text")),
    finishReason: textOf(finish_reason) ?? textOf(stop_reason),
  };
}

/** How deep in what a chain is given or gives messages are looked for. */
const MESSAGE_DEPTH = 6;

/** LangChain's messages, as what they say rather than how they are serialised. */
function plain(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MESSAGE_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1));
  const message = value as { getType?: unknown; _getType?: unknown; content?: unknown };
  const type = typeof message.getType === "function" ? message.getType : message._getType;
  if (typeof type !== "function") {
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    return isPlain
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one, depth + 1)]))
      : value;
  }
  const { tool_calls, tool_call_id, name } = fieldsOf(value);
  return {
    role: String(type.call(value)),
    content: message.content,
    ...(listOf(tool_calls).length > 0 && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(name !== undefined && { name }),
  };
}

function nameOf(serialized: unknown, otherwise: string): string {
  const { name, id } = fieldsOf(serialized);
  return textOf(name) ?? textOf(listOf(id).at(-1)) ?? otherwise;
}
