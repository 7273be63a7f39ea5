import { LlmCall, type LlmResponse, type WrapOptions } from "./llm-call.ts";
import { asArray, asNumber, asObject, nonEmptyString, toolNames } from "./read-json.ts";
import { span } from "./record.ts";
import { reportErrors } from "./report-errors.ts";
import type { SpanHandle, SpanType } from "./types.ts";

export type { Price, WrapOptions } from "./llm-call.ts";

/** The handlers that LangChain calls during a run. LangChain accepts a plain object with a subset of them. */
export interface WhytraceCallbacks {
  name: string;
  /** Makes LangChain call the handlers in the caller's async context, where the current trace is known. */
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
 * Returns callbacks that record LangChain runs: `chain.invoke(input, { callbacks: [whytraceCallbacks()] })`. A run
 * inside a trace becomes part of it; a run outside any trace gets its own trace.
 */
export function whytraceCallbacks(options: WrapOptions = {}): WhytraceCallbacks {
  const runs = new Map<string, SpanHandle>();
  const calls = new Map<string, LlmCall>();

  const spanIn = (parentRunId: unknown): typeof span => {
    const parent = typeof parentRunId === "string" ? runs.get(parentRunId) : undefined;
    return parent ? parent.span.bind(parent) : span;
  };
  const start = (type: SpanType, runId: string, parentRunId: unknown, name: string, input: unknown) =>
    reportErrors(() => {
      runs.set(runId, spanIn(parentRunId)(name, { type, input }));
    });
  const end = (output: unknown, runId: string) =>
    reportErrors(() => {
      runs.get(runId)?.end({ output: toPlainMessages(output) });
      runs.delete(runId);
    });
  const fail = (error: unknown, runId: string) =>
    reportErrors(() => {
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
    reportErrors(() => {
      const {
        tools,
        functions,
        model: modelParam,
        model_name,
        ...settings
      } = asObject(asObject(extra).invocation_params);
      const request = {
        name: runName ?? nameOf(model, "language model"),
        model:
          nonEmptyString(modelParam) ??
          nonEmptyString(model_name) ??
          nonEmptyString(asObject(metadata).ls_model_name),
        input: toPlainMessages(asArray(input).length === 1 ? asArray(input)[0] : input),
        tools: [...toolNames(tools), ...toolNames(functions)],
        settings,
      };
      const call = new LlmCall(request, options, spanIn(parentRunId));
      calls.set(runId, call);
    });

  return {
    name: "whytrace",
    awaitHandlers: true,
    // LangChain's type declarations list these parameters in another order than the one it passes them in.
    handleChainStart: (chain, inputs, runId, parentRunId, _tags, _metadata, _runType, runName) =>
      start(
        "CHAIN",
        runId,
        parentRunId,
        nonEmptyString(runName) ?? nameOf(chain, "chain"),
        toPlainMessages(inputs),
      ),
    handleChainEnd: end,
    handleChainError: fail,
    handleChatModelStart: startModel,
    handleLLMStart: startModel,
    handleLLMEnd: (output, runId) =>
      reportErrors(() => {
        calls.get(runId)?.end(readResult(output));
        calls.delete(runId);
      }),
    handleLLMError: (error, runId) =>
      reportErrors(() => {
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

function readResult(result: unknown): LlmResponse {
  const { generations, llmOutput } = asObject(result);
  const generation = asObject(asArray(asArray(generations)[0])[0]);
  const message = asObject(generation.message);
  const { content, tool_calls, usage_metadata, response_metadata, additional_kwargs } = message;
  const usage = asObject(usage_metadata);
  const { promptTokens, completionTokens } = asObject(asObject(llmOutput).tokenUsage);
  const { model_name, model, finish_reason, stop_reason } = asObject(response_metadata);
  const blocks = asArray(content).map(asObject);
  const joinText = (...fields: string[]) =>
    blocks.flatMap((block) => fields.flatMap((field) => nonEmptyString(block[field]) ?? [])).join("\n");
  return {
    model: nonEmptyString(model_name) ?? nonEmptyString(model),
    output: generation.message === undefined ? generation.text : toPlainMessages(generation.message),
    inputTokens: asNumber(usage.input_tokens ?? promptTokens),
    outputTokens: asNumber(usage.output_tokens ?? completionTokens),
    toolCalls: asArray(tool_calls).map((call) => {
      const { name, args } = asObject(call);
      return { name: nonEmptyString(name) ?? "unknown", input: args };
    }),
    reasoning:
      nonEmptyString(asObject(additional_kwargs).reasoning_content) ??
      (joinText("thinking", "reasoning") || nonEmptyString(content) || joinText("text")),
    finishReason: nonEmptyString(finish_reason) ?? nonEmptyString(stop_reason),
  };
}

/** Messages nested more deeply in a chain's input or output are not converted. */
const MAX_MESSAGE_DEPTH = 6;

/** Converts LangChain's message objects to plain objects with role and content. */
function toPlainMessages(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_MESSAGE_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => toPlainMessages(one, depth + 1));
  const message = value as { getType?: unknown; _getType?: unknown; content?: unknown };
  const type = typeof message.getType === "function" ? message.getType : message._getType;
  if (typeof type !== "function") {
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    return isPlain
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlainMessages(one, depth + 1)]))
      : value;
  }
  const { tool_calls, tool_call_id, name } = asObject(value);
  return {
    role: String(type.call(value)),
    content: message.content,
    ...(asArray(tool_calls).length > 0 && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(name !== undefined && { name }),
  };
}

function nameOf(serialized: unknown, fallback: string): string {
  const { name, id } = asObject(serialized);
  return nonEmptyString(name) ?? nonEmptyString(asArray(id).at(-1)) ?? fallback;
}
