import type { TraceHandle } from "../../packages/sdk/src/types.ts";

const MESSAGES = [
  { role: "system", content: "You are a careful assistant. ".repeat(10) },
  { role: "user", content: "What is the refund policy for a parcel that was lost? ".repeat(4) },
];

/** How many milliseconds recording one span of typical size takes in the caller. */
export function spanOverhead(trace: TraceHandle): number {
  const startedAt = performance.now();
  const span = trace.span("call model", { type: "LLM_CALL", input: { messages: MESSAGES } });
  span.end({
    output: { content: "It is refunded." },
    tokenCount: 321,
    costUsd: 0.001,
    metadata: { model: "m" },
  });
  return performance.now() - startedAt;
}
