import { hash32 } from "@whytrace/contract";
import { randomDecidedTraces } from "@whytrace/testing/samples/random-decided-traces.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { buildDecisionFacts } from "./build-decision-facts.ts";
import type { DecidedTrace } from "./decided-trace.ts";
import { type DecisionFacts, MAX_FACTS_DECISIONS } from "./decision-facts.ts";
import { decodeDecisionFacts, decodeDecisionPath } from "./decode-decision-facts.ts";
import { encodeDecisionFacts, encodeDecisionPath } from "./encode-decision-facts.ts";
import { errorFingerprint } from "./error-fingerprint.ts";
import { followedBy } from "./outcome.ts";
import { signTrace } from "./sign-trace.ts";
import { turnErrors } from "./turn-errors.ts";
import { walkDecisions } from "./walk-decisions.ts";

const built = (trace: DecidedTrace): DecisionFacts => {
  const facts = buildDecisionFacts(trace);
  if (!facts) throw new Error("no decisions");
  return facts;
};

/** A run of an agent that calls tools one after the other, with a decision before every `every`th. */
function longTrace(spanCount: number, every: number): DecidedTrace {
  const spans = Array.from({ length: spanCount }, (_, index) => ({
    id: `span ${index}`,
    parentSpanId: index === 0 ? null : `span ${Math.floor((index - 1) / 8)}`,
    name: `tool ${index % 7}`,
    status: index % 97 === 0 ? ("ERROR" as const) : ("COMPLETED" as const),
    statusMessage: null,
    costUsd: 0.001,
    durationMs: null,
    startedAt: index,
    endedAt: index + 5,
  }));
  return {
    name: "agent",
    tags: ["v1.2.3"],
    status: "ERROR",
    startedAt: 0,
    endedAt: spanCount,
    totalDuration: null,
    spans,
    decisionPoints: spans
      .filter((_, index) => index % every === 0)
      .map(({ id, startedAt }) => ({
        type: "TOOL_SELECTION",
        chosen: { name: "search", arguments: { q: "x" } },
        alternatives: [{ name: "cache" }],
        costUsd: null,
        parentSpanId: id,
        timestamp: startedAt,
      })),
    events: [],
  };
}

describe("facts of a trace", () => {
  it("are those of its decisions, in walking order, its release and its errors", () => {
    for (const trace of randomDecidedTraces(4, volume(500))) {
      const facts = buildDecisionFacts(trace);
      if (trace.decisionPoints.length === 0) expect(facts).toBeNull();
      const all = signTrace(trace);
      const followed = followedBy(all);
      const { kinds } = turnErrors(all);
      expect(facts?.decisions ?? []).toMatchObject(
        walkDecisions(trace).map((position) => {
          const { signature, step } = all.signed[position] ?? {};
          const { type } = trace.decisionPoints[position] ?? {};
          return { signature, step, type, position, ...followed[position], errorKind: kinds[position] };
        }),
      );
      if (facts) expect(facts.release).toBe(trace.tags.length > 0 ? hash32("2026-11-02") : 0);
    }
  });

  it("have the first 16 different errors, in the order of time", () => {
    const trace = longTrace(40, 1);
    trace.spans = trace.spans.map((span, index) => ({
      ...span,
      status: "ERROR",
      startedAt: 100 - index,
      statusMessage: `error ${String.fromCharCode(65 + (index >> 1))}`,
    }));
    trace.events = [{ type: "ERROR", name: "gave up", spanId: null, timestamp: 0 }];
    const { fingerprints } = built(trace);
    expect(fingerprints).toHaveLength(16);
    expect(fingerprints[0]).toBe(errorFingerprint("gave up", null));
    expect(fingerprints[1]).toBe(errorFingerprint("x", "error T"));
  });

  it("come back from their bytes, with numbers rounded to what a float holds", () => {
    for (const trace of randomDecidedTraces(5, volume(2_000))) {
      if (trace.decisionPoints.length === 0) continue;
      const facts = built(trace);
      const float = (value: number | null) => (value === null ? null : Math.fround(value));
      expect(decodeDecisionFacts(encodeDecisionFacts(facts))).toEqual({
        ...facts,
        decisions: facts.decisions.map((fact) => ({
          ...fact,
          costUsd: float(fact.costUsd),
          durationMs: float(fact.durationMs),
        })),
      });
      const steps = facts.decisions.map(({ step }) => step);
      expect(decodeDecisionPath(encodeDecisionPath(facts.decisions))).toEqual(steps);
    }
  });

  it("take 17 bytes, 24 for each decision and 4 for each error and kind of error", () => {
    const facts = built(longTrace(300, 3));
    expect(facts.decisions).toHaveLength(100);
    const bytes = encodeDecisionFacts(facts);
    const kinds = new Set(facts.decisions.map(({ errorKind }) => errorKind).filter((kind) => kind > 0));
    expect(bytes).toHaveLength(17 + 100 * 24 + (facts.fingerprints.length + kinds.size) * 4);
    expect(encodeDecisionPath(facts.decisions)).toHaveLength(64 * 4);
    // Inside a larger buffer, as PostgreSQL's driver returns it.
    const padded = new Uint8Array([1, 2, 3, ...bytes, 4]);
    expect(decodeDecisionFacts(padded.subarray(3, -1))).toEqual(decodeDecisionFacts(bytes));
  });

  it("take 6 bytes more for each option that was drawn, and otherwise none", () => {
    const trace = longTrace(30, 3);
    const drawn = trace.decisionPoints.map((point, index) => ({
      ...point,
      probability: index % 4 === 1 ? (index + 1) / 16 : null,
    }));
    const chosenBytes = encodeDecisionFacts(built(trace));
    const bytes = encodeDecisionFacts(built({ ...trace, decisionPoints: drawn }));
    expect(bytes.subarray(0, chosenBytes.length)).toEqual(chosenBytes);
    expect(bytes).toHaveLength(chosenBytes.length + 3 * 6);
    const found = new Map(decodeDecisionFacts(bytes)?.decisions.map((one) => [one.position, one.drawn]));
    expect(drawn.map((_, index) => found.get(index))).toEqual([0, 0.125, 0, 0, 0, 0.375, 0, 0, 0, 0.625]);
    expect(decodeDecisionFacts(chosenBytes)?.decisions.every(({ drawn: none }) => none === 0)).toBe(true);
  });

  it("of another version are not read", () => {
    const bytes = encodeDecisionFacts(built(longTrace(3, 1)));
    bytes[0] = 255;
    expect(decodeDecisionFacts(bytes)).toBeNull();
    expect(decodeDecisionFacts(new Uint8Array())).toBeNull();
  });

  it("have at most as many decisions as two bytes count", () => {
    const facts = built(longTrace(MAX_FACTS_DECISIONS + 10, 1));
    expect(facts.decisions).toHaveLength(MAX_FACTS_DECISIONS);
    expect(decodeDecisionFacts(encodeDecisionFacts(facts))?.decisions).toHaveLength(MAX_FACTS_DECISIONS);
  });

  it("of a chain of 100,000 spans are computed without exhausting the stack", () => {
    const trace = longTrace(100_000, 20);
    trace.spans = trace.spans.map((span, index) => ({
      ...span,
      parentSpanId: index === 0 ? null : `span ${index - 1}`,
    }));
    expect(built(trace).decisions).toHaveLength(5_000);
  });
});
