import { DECISION_POINT_TYPES } from "@whytrace/contract";
import { Random } from "../../../packages/demo/src/random.ts";
import type {
  DecidedPoint,
  DecidedSpan,
  DecidedTrace,
} from "../../../packages/server/src/decision-facts/decided-trace.ts";

const OPTIONS = [
  "search",
  { tool: "cache" },
  { name: "ask", n: 1 },
  "order 4711",
  { b: 2, a: [1] },
  7,
] as const;
const MESSAGES = ["timeout after 3000 ms", "not found", "", null] as const;

/**
 * Small traces in which everything happens that senders get wrong: missing parents, rings, children that begin before
 * their parents or in the same millisecond, spans without an end. Few instants, so that many are equal.
 */
export function* randomDecidedTraces(seed: number, count: number): Generator<DecidedTrace> {
  const random = new Random(seed);
  for (let left = count; left > 0; left--) yield randomDecidedTrace(random);
}

function randomDecidedTrace(random: Random): DecidedTrace {
  const ids = Array.from({ length: random.between(0, 8) }, (_, index) => `s${index}`);
  const anyId = () => `s${random.between(0, ids.length)}`;
  const spans = ids.map((id): DecidedSpan => {
    const startedAt = random.between(0, 12);
    return {
      id,
      parentSpanId: random.chance(0.3) ? null : anyId(),
      type: random.pick(["AGENT", "CHAIN", "TOOL_CALL", "LLM_CALL", "MEMORY_OP"]),
      name: random.pick(["plan", "call", "answer"]),
      status: random.pick(["COMPLETED", "COMPLETED", "RUNNING", "ERROR"]),
      statusMessage: random.pick(MESSAGES),
      costUsd: random.chance(0.4) ? random.between(1, 900) / 1_000 : null,
      durationMs: random.chance(0.3) ? random.between(0, 4) : null,
      startedAt,
      endedAt: random.chance(0.5) ? startedAt + random.between(0, 6) : null,
    };
  });
  const decisionPoints = Array.from({ length: random.between(0, 5) }, (): DecidedPoint => {
    return {
      type: random.pick(DECISION_POINT_TYPES),
      chosen: random.pick(OPTIONS),
      alternatives: Array.from({ length: random.between(0, 3) }, () => random.pick(OPTIONS)),
      costUsd: random.chance(0.3) ? random.between(1, 900) / 1_000 : null,
      parentSpanId: ids.length > 0 && random.chance(0.7) ? `s${random.between(0, ids.length - 1)}` : null,
      timestamp: random.between(0, 14),
    };
  });
  const events = Array.from({ length: random.between(0, 3) }, () => ({
    type: random.pick(["ERROR", "ERROR", "CUSTOM"]),
    name: random.pick(["failed", "gave up"]),
    spanId: random.chance(0.3) ? null : anyId(),
    timestamp: random.between(0, 14),
  }));
  return {
    name: `agent ${random.between(1, 2_000)}`,
    tags: random.chance(0.5) ? ["release:2026-11-02"] : [],
    status: random.pick(["COMPLETED", "COMPLETED", "ERROR", "ERROR", "RUNNING"]),
    startedAt: 0,
    endedAt: random.chance(0.7) ? random.between(10, 20) : null,
    totalDuration: random.chance(0.5) ? random.between(0, 20) : null,
    spans,
    decisionPoints,
    events,
  };
}
