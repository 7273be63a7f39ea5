import { expect, it } from "vitest";
import { parseBatch } from "./parse-batch.ts";
import { MAX_TRACE_RECORDS } from "./trace-limits.ts";

const AT = "2026-01-02T03:04:05Z";
const trace = (count: number) => ({
  id: "t1",
  name: "run",
  status: "COMPLETED",
  startedAt: AT,
  tags: [],
  spans: [],
  decisionPoints: [],
  events: Array.from({ length: count }, (_, n) => ({
    id: `e${n}`,
    name: "e",
    type: "CUSTOM",
    timestamp: AT,
  })),
});

it("takes as many records of a kind as a trace may have, and says what is too many", () => {
  expect(parseBatch({ traces: [trace(MAX_TRACE_RECORDS)] })[0]?.events).toHaveLength(MAX_TRACE_RECORDS);
  expect(() => parseBatch({ traces: [trace(MAX_TRACE_RECORDS + 1)] })).toThrow(
    "Invalid trace events: must be at most 100000, trace t1 has 100001",
  );
});
