import { MODEL_MS, type SentRun, TURN_MS } from "./otlp-run.ts";
import type { WorldAgent, WorldRun } from "./world.ts";

/** A run as the SDK sends it: each call is a decision between all tools, made in the span of the agent, and the tool's span. */
export function postedRun(
  run: WorldRun,
  { tools }: WorldAgent,
  { traceId, agent, startedAtMs, isJudged = false }: Omit<SentRun, "hasDefinitions">,
) {
  const at = (ms: number) => new Date(startedAtMs + ms).toISOString();
  const endMs = run.turns.length * TURN_MS;
  const isEnded = run.status !== "RUNNING";
  const root = `${traceId}-root`;
  const calls = run.turns.flatMap((turn, index) =>
    turn.map((call, number) => ({ ...call, id: `${traceId}-${index}-${number}`, startMs: index * TURN_MS })),
  );
  return {
    id: traceId,
    name: agent,
    status: run.status,
    startedAt: at(0),
    ...(isEnded && { endedAt: at(endMs) }),
    ...(run.session !== null && { sessionId: run.session }),
    tags: run.release === null ? [] : [`release:${run.release}`],
    metadata: run.situation === null ? {} : { "case.kind": run.situation },
    spans: [
      {
        id: root,
        name: `invoke_agent ${agent}`,
        type: "AGENT",
        status: run.status,
        startedAt: at(0),
        ...(isEnded && { endedAt: at(endMs) }),
        ...(run.message !== null && { statusMessage: run.message }),
      },
      ...calls.map(({ id, tool, error, startMs }) => ({
        id: `${id}-span`,
        parentSpanId: root,
        name: tool,
        type: "TOOL_CALL",
        status: error === null ? "COMPLETED" : "ERROR",
        startedAt: at(startMs + MODEL_MS),
        endedAt: at(startMs + TURN_MS),
        ...(error !== null && { statusMessage: error }),
      })),
    ],
    decisionPoints: calls.map(({ id, tool, startMs }) => ({
      id,
      parentSpanId: root,
      type: "TOOL_SELECTION",
      chosen: tool,
      alternatives: tools.filter((other) => other !== tool),
      timestamp: at(startMs + MODEL_MS),
    })),
    events:
      isJudged || run.isScoredBad
        ? [
            {
              id: `${traceId}-thumb`,
              type: "USER_FEEDBACK",
              name: "helpful",
              metadata: { value: !run.isScoredBad },
              timestamp: at(endMs),
            },
          ]
        : [],
  };
}
