import { expect, it } from "vitest";
import type { LogFacts, SpanFacts } from "../map/span-facts.ts";
import { encodeFacts, SPAN_FACTS_CODEC } from "./facts-codec.ts";

const SPAN: SpanFacts = {
  id: "s",
  name: "chat",
  type: "LLM_CALL",
  status: "COMPLETED",
  startMs: 0,
  endMs: 9,
};

it("counts a log record once, however long it is", () => {
  const log = (end: string): LogFacts => ({ spanId: "s", timeMs: 1, message: "x".repeat(17_000) + end });
  const parts = [
    encodeFacts({ spans: [SPAN], logs: [log("a"), log("b")] }),
    encodeFacts({ logs: [log("a")] }),
  ];
  expect(SPAN_FACTS_CODEC.derive(parts).completions.get("s")?.input).toHaveLength(2);
});
