import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { randomDecidedTraces } from "@whytrace/testing/samples/random-decided-traces.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import type { DecidedPoint, DecidedSpan, DecidedTrace } from "./decided-trace.ts";
import { type Followed, followedBy } from "./outcome.ts";
import { signTrace } from "./sign-trace.ts";

const RUNS = volume(2_000);

const FAILED = { status: "ERROR" } as const;

const span = (
  id: string,
  parentSpanId: string | null,
  [startedAt, endedAt]: [number, number | null],
  more: Partial<DecidedSpan> = {},
): DecidedSpan => ({
  id,
  parentSpanId,
  startedAt,
  endedAt,
  name: id,
  status: "COMPLETED",
  statusMessage: null,
  costUsd: null,
  durationMs: null,
  ...more,
});
const decision = (
  timestamp: number,
  parentSpanId: string | null = null,
  more: Partial<DecidedPoint> = {},
): DecidedPoint => ({
  timestamp,
  parentSpanId,
  type: "TOOL_SELECTION",
  chosen: "a",
  alternatives: ["b"],
  costUsd: null,
  ...more,
});
const retry = (timestamp: number, parentSpanId: string | null) =>
  decision(timestamp, parentSpanId, { type: "RETRY" });
const error = (timestamp: number, spanId: string | null) => ({
  type: "ERROR" as const,
  name: "failed",
  spanId,
  timestamp,
});
const trace = (more: Partial<DecidedTrace>): DecidedTrace => ({
  name: "agent",
  tags: [],
  status: "COMPLETED",
  startedAt: 0,
  endedAt: 100,
  totalDuration: 100,
  spans: [],
  decisionPoints: [],
  events: [],
  ...more,
});
const followed = (given: Partial<DecidedTrace>) => followedBy(signTrace(trace(given)));
const outcomes = (given: Partial<DecidedTrace>) => followed(given).map(({ outcome }) => outcome);

it("takes time in proportion to the trace, also with all decisions in the innermost of many calls", () => {
  const COUNT = 60_000;
  const calls = Array.from({ length: COUNT }, (_, n) =>
    span(`s${n}`, n === 0 ? null : `s${n - 1}`, [0, 100], { type: "LLM_CALL" }),
  );
  const decisionPoints = Array.from({ length: COUNT }, () => decision(1, `s${COUNT - 1}`));
  const workedMs = startCpuStopwatch();
  expect(outcomes({ spans: [...calls, span("failed", null, [2, 3], FAILED)], decisionPoints })).toEqual(
    Array(COUNT).fill(1),
  );
  // A walk up from each decision takes a minute.
  expect(workedMs()).toBeLessThan(6_000);
});

describe("the outcome of a decision", () => {
  it("is fine if nothing failed", () => {
    expect(outcomes({ decisionPoints: [decision(1)] })).toEqual([0]);
  });

  it("is recovered or failed if an error follows in its scope, as the run ends", () => {
    const spans = [span("p", null, [0, 50]), span("t", "p", [5, 9], FAILED)];
    const decisionPoints = [decision(2, "p")];
    expect(outcomes({ spans, decisionPoints })).toEqual([1]);
    expect(outcomes({ ...FAILED, spans, decisionPoints })).toEqual([3]);
  });

  it("counts an error of the same millisecond before a RETRY and after any other decision", () => {
    const spans = [span("p", null, [0, 90])];
    const decisionPoints = [retry(10, "p"), decision(10, "p", { type: "ESCALATION" }), decision(10, "p")];
    expect(outcomes({ spans, events: [error(10, "p")], decisionPoints })).toEqual([0, 0, 1]);
    expect(outcomes({ spans: [...spans, span("t", "p", [10, 10], FAILED)], decisionPoints })).toEqual([
      0, 0, 1,
    ]);
  });

  it("counts a span that begins in the same millisecond and goes on after both", () => {
    const spans = [span("p", null, [0, 90]), span("t", "p", [10, 15], FAILED)];
    expect(outcomes({ spans, decisionPoints: [retry(10, "p"), decision(10, "p")] })).toEqual([1, 1]);
  });

  it("is recovered before a retry that succeeds, and fine for the retry", () => {
    const spans = [span("p", null, [0, 90]), span("t1", "p", [5, 9], FAILED), span("t2", "p", [12, 20])];
    const decisionPoints = [decision(2, "p"), retry(10, "p")];
    expect(outcomes({ spans, events: [error(10, "t1")], decisionPoints })).toEqual([1, 0]);
  });

  it("is failed elsewhere in a parallel branch that has no error", () => {
    const spans = [
      span("root", null, [0, 99], FAILED),
      span("a", "root", [1, 50]),
      span("b", "root", [1, 50]),
      span("t", "b", [5, 9], FAILED),
    ];
    const decisionPoints = [decision(2, "a"), decision(2, "b"), decision(0, "root")];
    expect(outcomes({ ...FAILED, spans, decisionPoints })).toEqual([2, 3, 3]);
  });

  it("sees an error of an inner span from outside, not the reverse", () => {
    const decisionPoints = [decision(5, "outer"), decision(12, "inner")];
    const spans = [span("outer", null, [0, 90]), span("inner", "outer", [10, 30])];
    const outside = span("t", "outer", [40, 45], FAILED);
    expect(outcomes({ ...FAILED, spans: [...spans, outside], decisionPoints })).toEqual([3, 2]);
    const inside = span("t", "inner", [14, 16], FAILED);
    expect(outcomes({ ...FAILED, spans: [...spans, inside], decisionPoints })).toEqual([3, 3]);
  });

  it("is open while the trace is running, even after an error", () => {
    const spans = [span("a", null, [1, 50], FAILED), span("t", "a", [3, 4], FAILED)];
    const decisionPoints = [decision(0), decision(2, "a")];
    expect(outcomes({ status: "RUNNING", spans, decisionPoints })).toEqual([4, 4]);
  });

  it("is known of each of several equal decisions of a run", () => {
    const spans = [span("p", null, [0, 90]), span("t", "p", [25, 29], FAILED)];
    const decisionPoints = [decision(10, "p"), decision(20, "p"), decision(30, "p")];
    expect(outcomes({ spans, decisionPoints })).toEqual([1, 1, 0]);
  });

  it("puts rings, missing parents and events of unknown spans at the top", () => {
    const ring = [span("a", "b", [0, 90]), span("b", "a", [1, 80])];
    const orphan = span("c", "missing", [2, 9]);
    const self = span("d", "d", [3, 4]);
    const decisionPoints = [
      decision(0, "a"),
      decision(0, "b"),
      decision(0, "c"),
      decision(0, "d"),
      decision(0),
    ];
    const spans = [...ring, orphan, self];
    expect(outcomes({ spans, decisionPoints, events: [error(50, "missing")] })).toEqual([0, 0, 0, 0, 1]);
    expect(outcomes({ spans, decisionPoints, events: [error(50, "b")] })).toEqual([1, 1, 0, 0, 1]);
  });

  it("is failed for all decisions of a scope that ended in an error which nothing in it explains", () => {
    const decisionPoints = [decision(2, "a"), decision(30, "a")];
    expect(outcomes({ ...FAILED, spans: [span("a", null, [1, 50], FAILED)], decisionPoints })).toEqual([
      3, 3,
    ]);
    // An error before both explains it.
    const spans = [span("a", null, [0, 50], FAILED), span("t", "a", [1, 1], FAILED)];
    expect(outcomes({ ...FAILED, spans, decisionPoints })).toEqual([2, 2]);
    expect(outcomes({ ...FAILED, decisionPoints: [decision(2)] })).toEqual([3]);
  });

  it("does not count a parallel call that was under way before", () => {
    const spans = [span("p", null, [0, 90]), span("t", "p", [5, 60], FAILED)];
    expect(outcomes({ spans, decisionPoints: [decision(10, "p")] })).toEqual([0]);
  });

  it("counts what follows a call of a model or memory in the span around it", () => {
    const spans = [
      span("agent", null, [0, 90]),
      span("llm", "agent", [5, 9], { type: "LLM_CALL" }),
      span("inner", "llm", [5, 9], { type: "LLM_CALL" }),
      span("tool", "agent", [10, 20], { ...FAILED, type: "TOOL_CALL", costUsd: 2 }),
      span("other", null, [30, 40], FAILED),
    ];
    const decisionPoints = [
      decision(9, "inner"),
      decision(10, "tool"),
      decision(9, "agent", { chosen: "c" }),
    ];
    expect(followed({ spans, decisionPoints })).toEqual([
      { outcome: 1, costUsd: 2, durationMs: 81 },
      { outcome: 1, costUsd: null, durationMs: 10 },
      { outcome: 1, costUsd: 2, durationMs: 81 },
    ]);
    const memory = [
      span("agent", null, [0, 90]),
      span("m", "agent", [5, 9], { ...FAILED, type: "MEMORY_OP" }),
    ];
    expect(outcomes({ spans: memory, decisionPoints: [decision(5, "m")] })).toEqual([1]);
    expect(outcomes({ spans: memory.slice(1), decisionPoints: [decision(5, "m")] })).toEqual([1]);
  });

  it("does not count the parent span itself, even if it began in the same millisecond", () => {
    const spans = [span("p", null, [10, 90], { ...FAILED, costUsd: 3 }), span("t", "p", [10, 10], FAILED)];
    expect(followed({ spans, decisionPoints: [retry(10, "p")] })).toEqual([
      { outcome: 0, costUsd: null, durationMs: 80 },
    ]);
  });
});

it("adds the cost of what follows in the scope until the next decision there, and measures until the scope ends", () => {
  const spans = [
    span("p", null, [0, 90], { costUsd: 8 }),
    span("t1", "p", [5, 9], { costUsd: 1 }),
    span("t2", "p", [20, 25], { costUsd: 2 }),
    span("x", null, [30, null], { costUsd: 4, durationMs: 10 }),
  ];
  const decisionPoints = [
    decision(10, "p", { costUsd: 0.5 }),
    decision(1, "p"),
    decision(15),
    decision(95, "x"),
  ];
  expect(followed({ spans, decisionPoints })).toEqual([
    { outcome: 0, costUsd: 2.5, durationMs: 80 },
    { outcome: 0, costUsd: 1, durationMs: 89 },
    { outcome: 0, costUsd: 6, durationMs: 85 },
    { outcome: 0, costUsd: null, durationMs: 0 },
  ]);
});

it(`equals the definition, applied word for word, on ${RUNS} random traces`, () => {
  for (const given of randomDecidedTraces(1, RUNS))
    expect(followedBy(signTrace(given)), JSON.stringify(given)).toEqual(plainlyFollowedBy(given));
});

/** The definition in quadratic time. */
function plainlyFollowedBy(given: DecidedTrace): Followed[] {
  const parents = plainParents(given.spans);
  const { signed } = signTrace(given);
  const known = (id: string | null) => (id !== null && parents.has(id) ? id : null);
  const isInside = (id: string | null, scope: string | null) => {
    if (scope === null) return true;
    for (let at = id; at !== null; at = parents.get(at) ?? null) if (at === scope) return true;
    return false;
  };
  const plainScope = (id: string | null): string | null => {
    const type = given.spans.find((one) => one.id === id)?.type;
    return id !== null && (type === "LLM_CALL" || type === "MEMORY_OP")
      ? plainScope(parents.get(id) ?? null)
      : id;
  };
  const end = (one: DecidedSpan) =>
    one.endedAt ?? (one.durationMs === null ? null : one.startedAt + one.durationMs);
  const isReaction = ({ type }: DecidedPoint) => type === "RETRY" || type === "ESCALATION";
  return given.decisionPoints.map((own, ownIndex) => {
    const scope = plainScope(known(own.parentSpanId));
    const parent = given.spans.find(({ id }) => id === scope);
    const inside = given.spans.filter(({ id }) => id !== scope && isInside(id, scope));
    const errors = given.events.filter(
      ({ type, spanId }) => type === "ERROR" && isInside(known(spanId), scope),
    );
    const isAfter = (at: number, goesOn: boolean) =>
      at > own.timestamp || (at === own.timestamp && (goesOn || !isReaction(own)));
    const isSpanAfter = (one: DecidedSpan) => isAfter(one.startedAt, end(one) !== one.startedAt);
    const failed = inside.filter(({ status }) => status === "ERROR");
    const follows = failed.some(isSpanAfter) || errors.some(({ timestamp }) => isAfter(timestamp, false));
    const isScopeFailed = (parent ?? given).status === "ERROR";
    const isUnexplained = isScopeFailed && failed.length + errors.length === 0;
    const isDecisionAfter = (other: DecidedPoint, index: number) => {
      if (other.timestamp !== own.timestamp) return other.timestamp > own.timestamp;
      if (isReaction(other) !== isReaction(own)) return isReaction(other);
      return index >= ownIndex;
    };
    const turnOf = (index: number) => {
      const { parentSpanId = null } = given.decisionPoints[index] ?? {};
      const isAnswer = given.spans.find(({ id }) => id === parentSpanId)?.type === "LLM_CALL";
      return isAnswer ? parentSpanId : index;
    };
    const isNextTurn = (other: DecidedPoint, index: number) =>
      isDecisionAfter(other, index) &&
      plainScope(known(other.parentSpanId)) === scope &&
      signed[index]?.signature === signed[ownIndex]?.signature &&
      turnOf(index) !== turnOf(ownIndex);
    const next = given.decisionPoints
      .map((other, index) => ({ ...other, index }))
      .filter((other) => isNextTurn(other, other.index))
      .toSorted(
        (a, b) =>
          a.timestamp - b.timestamp || Number(isReaction(a)) - Number(isReaction(b)) || a.index - b.index,
      )[0];
    const isBeforeNext = (at: number, goesOn: boolean) =>
      !next || at < next.timestamp || (at === next.timestamp && !goesOn && isReaction(next));
    const decisions = given.decisionPoints.filter((other, index) => {
      if (!isInside(plainScope(known(other.parentSpanId)), scope)) return false;
      if (!isDecisionAfter(other, index)) return false;
      if (!next || other.timestamp !== next.timestamp) return !next || other.timestamp < next.timestamp;
      if (isReaction(other) !== isReaction(next)) return isReaction(next);
      return index < next.index;
    });
    const spans = inside.filter(
      (one) => isSpanAfter(one) && isBeforeNext(one.startedAt, end(one) !== one.startedAt),
    );
    const costs = [...spans, ...decisions].flatMap(({ costUsd }) => costUsd ?? []);
    const scopeEnd =
      (parent && end(parent)) ??
      given.endedAt ??
      (given.totalDuration === null ? null : given.startedAt + given.totalDuration);
    const hasFailed = given.status === "ERROR";
    const hasError = follows || isUnexplained;
    return {
      outcome: given.status === "RUNNING" ? 4 : hasFailed ? (hasError ? 3 : 2) : hasError ? 1 : 0,
      // Random costs are whole thousandths.
      costUsd: costs.length === 0 ? null : Math.round(costs.reduce((a, b) => a + b) * 1_000) / 1_000,
      durationMs: scopeEnd === null ? null : Math.max(0, scopeEnd - own.timestamp),
    };
  });
}

/** The parent of each span, or null at the top. */
function plainParents(spans: readonly DecidedSpan[]): Map<string, string | null> {
  const parents = new Map(spans.map(({ id, parentSpanId }) => [id, parentSpanId]));
  for (const [id, parent] of parents) if (parent !== null && !parents.has(parent)) parents.set(id, null);
  const isInCycle = (id: string) => {
    let at = parents.get(id) ?? null;
    for (let left = spans.length; left > 0 && at !== null && at !== id; left--) at = parents.get(at) ?? null;
    return at === id;
  };
  for (const { id } of spans.toSorted((a, b) => a.startedAt - b.startedAt))
    if (isInCycle(id)) parents.set(id, null);
  return parents;
}
