import { randomDecidedTraces } from "@whytrace/testing/samples/random-decided-traces.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { expect, it } from "vitest";
import type { DecidedPoint, DecidedSpan } from "./decided-trace.ts";
import { walkDecisions } from "./walk-decisions.ts";

const span = (id: string, name: string, parentSpanId: string | null, startedAt: number, endedAt: number) => ({
  id,
  name,
  parentSpanId,
  startedAt,
  endedAt,
  status: "COMPLETED" as const,
  statusMessage: null,
  costUsd: null,
  durationMs: null,
});
const decision = (chosen: string, timestamp: number, parentSpanId: string | null = null): DecidedPoint => ({
  type: "ROUTING",
  chosen,
  alternatives: [],
  costUsd: null,
  parentSpanId,
  timestamp,
});
const walk = (spans: DecidedSpan[], decisionPoints: DecidedPoint[]) =>
  walkDecisions({ spans, decisionPoints })
    .map((index) => decisionPoints[index]?.chosen)
    .join(" ");

it("follows time within a span, and takes a span with everything in it as one step", () => {
  const spans = [span("1", "outer", null, 0, 90), span("2", "inner", "1", 10, 80)];
  const decisions = [
    decision("d", 95),
    decision("b", 50, "2"),
    decision("c", 85, "1"),
    decision("a", 5, "1"),
  ];
  expect(walk(spans, decisions)).toBe("a b c d");
  // Made later than its step began, but inside of it.
  expect(walk(spans, [decision("y", 20, "1"), decision("x", 70, "2")])).toBe("x y");
});

it("does not depend on how parallel spans interleave, or in which order they were sent", () => {
  const decisions = [decision("a", 30, "2"), decision("b", 20, "3"), decision("c", 95, "1")];
  const of = (first: number, second: number) => [
    span("1", "root", null, 0, 99),
    span("2", "alpha", "1", first, 60),
    span("3", "beta", "1", second, 60),
  ];
  for (const spans of [of(10, 12), of(12, 10)]) {
    expect(walk(spans, decisions)).toBe("a b c");
    expect(walk(spans.toReversed(), decisions)).toBe("a b c");
  }
  // One after the other is an order.
  const after = [
    span("1", "root", null, 0, 99),
    span("2", "alpha", "1", 40, 60),
    span("3", "beta", "1", 10, 40),
  ];
  expect(walk(after, decisions)).toBe("b a c");
});

it("keeps decisions of one millisecond in the order sent, before spans that begin then", () => {
  const spans = [span("1", "s", null, 10, 20)];
  expect(walk(spans, [decision("x", 15, "1"), decision("a", 10), decision("b", 10)])).toBe("a b x");
});

it("walks every decision once, whatever was sent, and in the same order if spans come in another one", () => {
  for (const trace of randomDecidedTraces(3, volume(2_000))) {
    const walked = walkDecisions(trace);
    expect(walked.toSorted((a, b) => a - b)).toEqual(trace.decisionPoints.map((_, index) => index));
    // Of spans of a cycle that started at the same time, the first one is a root.
    const isCycleFree = trace.spans.every(
      ({ id, parentSpanId }) => parentSpanId === null || parentSpanId < id,
    );
    const starts = new Set(trace.spans.map(({ startedAt }) => startedAt));
    if (!isCycleFree && starts.size < trace.spans.length) continue;
    expect(walkDecisions({ ...trace, spans: trace.spans.toReversed() })).toEqual(walked);
  }
});
