import { toPlainMessages } from "./observe/langchain-messages.ts";
import { readLangchainResult } from "./observe/langchain-result.ts";
import { LlmCall, type WrapOptions } from "./observe/llm-call.ts";
import { asArray, asObject, nonEmptyString, toolNames } from "./observe/read-json.ts";
import { span } from "./record.ts";
import { reportErrors } from "./report-errors.ts";
import { RunContext } from "./run-context.ts";
import type { SpanHandle, SpanType } from "./types.ts";

export type { Price } from "./observe/call-cost.ts";
export type { WrapOptions } from "./observe/llm-call.ts";

/** The handlers that LangChain calls during a run. LangChain accepts a plain object with a subset of them. */
export interface WhytraceCallbacks {
  name: string;
  /** Makes LangChain call the handlers in the caller's async context, where the current trace is known. */
  awaitHandlers: boolean;
  handleChainStart(chain: unknown, inputs: unknown, runId: string, ...rest: unknown[]): void;
  handleChainEnd(outputs: unknown, runId: string, ...rest: unknown[]): void;
  handleChainError(error: unknown, runId: string, ...rest: unknown[]): void;
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

/** A run of a chain, tool or retriever. */
interface Run {
  span: SpanHandle;
  context: RunContext | undefined;
}

/**
 * Returns callbacks that record LangChain runs: `chain.invoke(input, { callbacks: [whytraceCallbacks()] })`. A run
 * inside a trace becomes part of it; a run outside any trace gets its own trace.
 */
export function whytraceCallbacks(options: WrapOptions = {}): WhytraceCallbacks {
  const runs = new Map<string, Run>();
  const calls = new Map<string, LlmCall>();

  const spanIn = (parentRunId: unknown): typeof span => {
    const parent = typeof parentRunId === "string" ? runs.get(parentRunId)?.span : undefined;
    return parent ? parent.span.bind(parent) : span;
  };
  const start = (type: SpanType, runId: string, parentRunId: unknown, name: string, input: unknown) =>
    reportErrors(() => {
      const started = spanIn(parentRunId)(name, { type, input, keepsTraceOpen: true });
      runs.set(runId, { span: started, context: RunContext.enter(started) });
    });
  const leave = (runId: string) => {
    const run = runs.get(runId);
    run?.context?.leave();
    runs.delete(runId);
    return run?.span;
  };
  const end = (output: unknown, runId: string, ...rest: unknown[]) =>
    reportErrors(() => leave(runId)?.end({ ...lateInput(rest), output: toPlainMessages(output) }));
  const fail = (error: unknown, runId: string, ...rest: unknown[]) =>
    reportErrors(() => leave(runId)?.fail(error, lateInput(rest)));

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
        calls.get(runId)?.end(readLangchainResult(output));
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

/** LangChain passes the input of a streamed chain at its end, after the parent's id and the tags. */
const lateInput = ([, , details]: unknown[]) => ({ input: toPlainMessages(asObject(details).inputs) });

function nameOf(serialized: unknown, fallback: string): string {
  const { name, id } = asObject(serialized);
  return nonEmptyString(name) ?? nonEmptyString(asArray(id).at(-1)) ?? fallback;
}
