import { otlpAttributes, otlpNanos, type SampleSpan } from "../../tests/support/otlp/otlp-samples.ts";
import type { WorldAgent, WorldRun } from "./world.ts";

export interface SentRun {
  traceId: string;
  agent: string;
  startedAtMs: number;
  /** Whether a call of the model says which tools it could have called. */
  hasDefinitions: boolean;
  /** Whether every run is judged, and not only the bad ones. */
  isJudged?: boolean;
}

/** A turn takes this long, of which the model takes `MODEL_MS`. */
export const TURN_MS = 100;
export const MODEL_MS = 50;
const STATUS_ERROR = 2;

/** What an evaluator says about a run, on its root, or about a call. */
const evaluation = (isBad: boolean, atMs: number) => ({
  name: "gen_ai.evaluation.result",
  timeUnixNano: otlpNanos(atMs),
  attributes: otlpAttributes({
    "gen_ai.evaluation.name": "correct",
    "gen_ai.evaluation.score.value": isBad ? 0 : 1,
    "gen_ai.evaluation.score.label": isBad ? "fail" : "pass",
  }),
});

/**
 * A run as an agent reports it by OpenTelemetry: a span for the agent, in it calls of a model and of the tools that the model
 * chose. A run that hangs has no span for the agent yet.
 */
export function otlpRun(
  run: WorldRun,
  { tools }: WorldAgent,
  { traceId, agent, startedAtMs, hasDefinitions, isJudged = false }: SentRun,
) {
  const spanId = (number: number) => number.toString(16).padStart(16, "0");
  const root = spanId(1);
  const spans: SampleSpan[] = [];
  const add = (
    name: string,
    startMs: number,
    endMs: number,
    attributes: object,
    { error = null, isScoredBad = false }: { error?: string | null; isScoredBad?: boolean } = {},
  ) =>
    spans.push({
      traceId,
      spanId: spanId(spans.length + 2),
      parentSpanId: root,
      name,
      startTimeUnixNano: otlpNanos(startMs),
      endTimeUnixNano: otlpNanos(endMs),
      attributes: otlpAttributes(attributes),
      ...(isScoredBad && { events: [evaluation(true, endMs)] }),
      ...(error !== null && { status: { code: STATUS_ERROR, message: error } }),
    });
  for (const [turn, calls] of run.turns.entries()) {
    const startMs = startedAtMs + turn * TURN_MS;
    const parts = calls.map(({ tool }, call) => ({
      type: "tool_call",
      id: `call-${turn}-${call}`,
      name: tool,
      arguments: {},
    }));
    const chat = {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "gpt-5.4-mini",
      ...(hasDefinitions && {
        "gen_ai.tool.definitions": JSON.stringify(tools.map((name) => ({ type: "function", name }))),
      }),
      "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts }]),
    };
    add("chat gpt-5.4-mini", startMs, startMs + MODEL_MS, chat);
    for (const [call, { tool, error }] of calls.entries()) {
      const attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.call.id": `call-${turn}-${call}`,
      };
      add(`execute_tool ${tool}`, startMs + MODEL_MS, startMs + TURN_MS, attributes, {
        error,
        isScoredBad: run.scoredTurn === turn,
      });
    }
  }
  if (run.status !== "RUNNING")
    spans.push({
      traceId,
      spanId: root,
      name: `invoke_agent ${agent}`,
      startTimeUnixNano: otlpNanos(startedAtMs),
      endTimeUnixNano: otlpNanos(startedAtMs + run.turns.length * TURN_MS),
      attributes: otlpAttributes({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent,
        ...(run.session !== null && { "session.id": run.session }),
        ...(run.situation !== null && { "case.kind": run.situation }),
      }),
      ...((isJudged || run.isScoredBad) &&
        run.scoredTurn === undefined && {
          events: [evaluation(run.isScoredBad, startedAtMs + run.turns.length * TURN_MS)],
        }),
      ...(run.status === "ERROR" && {
        status: { code: STATUS_ERROR, ...(run.message !== null && { message: run.message }) },
      }),
    });
  const resource = {
    "service.name": agent,
    ...(run.release !== null && { "service.version": run.release }),
  };
  return { resource: { attributes: otlpAttributes(resource) }, scopeSpans: [{ spans }] };
}
