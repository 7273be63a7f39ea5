import { randomDecidedTraces } from "@whytrace/testing/samples/random-decided-traces.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { buildDecisionFacts } from "./build-decision-facts.ts";
import { type DecidedPoint, type DecidedSpan, type DecidedTrace, endOf } from "./decided-trace.ts";
import { errorFingerprint } from "./error-fingerprint.ts";
import { isReactionType } from "./reaction.ts";
import { signTrace } from "./sign-trace.ts";
import { turnErrors } from "./turn-errors.ts";

const RUNS = volume(2_000);

const span = (
  id: string,
  parentSpanId: string | null,
  type: NonNullable<DecidedSpan["type"]>,
  startedAt: number,
  error?: string,
): DecidedSpan => ({
  id,
  parentSpanId,
  type,
  name: id,
  status: error === undefined ? "COMPLETED" : "ERROR",
  statusMessage: error ?? null,
  costUsd: null,
  durationMs: null,
  startedAt,
  endedAt: startedAt + 5,
});
const call = (timestamp: number, parentSpanId: string, chosen: string): DecidedPoint => ({
  type: "TOOL_SELECTION",
  chosen,
  alternatives: [],
  inference: { alternativesKnown: false },
  costUsd: null,
  parentSpanId,
  timestamp,
});
const trace = (spans: DecidedSpan[], decisionPoints: DecidedPoint[]): DecidedTrace => ({
  name: "agent",
  tags: [],
  status: "ERROR",
  startedAt: 0,
  endedAt: 100,
  totalDuration: 100,
  spans,
  decisionPoints,
  events: [],
});
const kind = (message: string) => errorFingerprint("", message);
const kindsOf = (given: DecidedTrace) => [...turnErrors(signTrace(given)).kinds];
const AGENT = span("agent", null, "AGENT", 0, "gave up");

/** An agent that calls tools in a loop: in each turn a model answers and tools run. */
function loop(turns: Record<string, string | undefined>[]): DecidedTrace {
  const spans = [AGENT];
  const decisionPoints: DecidedPoint[] = [];
  for (const [turn, tools] of turns.entries()) {
    spans.push(span(`llm ${turn}`, "agent", "LLM_CALL", turn * 10));
    for (const [tool, error] of Object.entries(tools)) {
      decisionPoints.push(call(turn * 10 + 5, `llm ${turn}`, tool));
      spans.push(span(`${tool} ${turn}`, "agent", "TOOL_CALL", turn * 10 + 6, error));
    }
  }
  return trace(spans, decisionPoints);
}

describe("the error of a decision", () => {
  it("is the first one between it and the next decision", () => {
    const given = loop([{ search: "timeout" }, { read: undefined }, { read: "not found" }]);
    expect(kindsOf(given)).toEqual([kind("timeout"), 0, kind("not found")]);
  });

  it("is of the same kind whichever option its message names", () => {
    const given = loop([{ search: "search: upstream failed" }, { read_page: "read_page: upstream failed" }]);
    expect(kindsOf(given)).toEqual([kind("@: upstream failed"), kind("@: upstream failed")]);
  });

  it("is not that the whole run failed, which is the run's message", () => {
    const given = loop([{ search: undefined }, { read: undefined }]);
    given.events = [{ type: "ERROR", name: "RecursionError", spanId: "agent", timestamp: 30 }];
    const { kinds, messageKind } = turnErrors(signTrace(given));
    expect([...kinds]).toEqual([0, 0]);
    expect(messageKind).toBe(kind("gave up"));
  });

  it("is that of a part of the run if nothing in it says why it failed", () => {
    const delegated = (inner: string | undefined) =>
      trace(
        [
          span("agent", null, "AGENT", 0),
          span("llm", "agent", "LLM_CALL", 0),
          span("helper", "agent", "AGENT", 10, "helper failed"),
          span("helper llm", "helper", "LLM_CALL", 10),
          span("tool", "helper", "TOOL_CALL", 20, inner),
        ],
        [call(5, "llm", "helper"), call(15, "helper llm", "tool")],
      );
    expect(kindsOf(delegated(undefined))).toEqual([0, kind("helper failed")]);
    expect(kindsOf(delegated("quota"))).toEqual([0, kind("quota")]);
  });

  it(`equals the definition, applied word for word, on ${RUNS} random traces`, () => {
    for (const given of randomDecidedTraces(7, RUNS)) {
      const signed = signTrace(given);
      expect(turnErrors(signed), JSON.stringify(given)).toEqual(plainErrors(given));
    }
  });
});

describe("turns", () => {
  it("hold all calls of an answer, and react to an error of the turn before", () => {
    const facts = buildDecisionFacts(
      loop([{ search: undefined, read: "timeout" }, { read: undefined }, { answer: undefined }]),
    );
    expect(facts?.decisions.map(({ isSameTurn }) => isSameTurn)).toEqual([false, true, false, false]);
    expect(facts?.decisions.map(({ isReaction }) => isReaction)).toEqual([false, false, true, false]);
    expect(new Set(facts?.decisions.map(({ signature }) => signature)).size).toBe(1);
  });

  it("of a part of the run do not react to an error beside it", () => {
    const branch = (name: string, error?: string) => [
      span(name, "agent", "AGENT", 0, error),
      span(`${name} llm`, name, "LLM_CALL", 0),
      span(`${name} tool`, name, "TOOL_CALL", 10, error),
    ];
    const given = trace(
      [AGENT, ...branch("a", "timeout"), ...branch("b")],
      [call(5, "a llm", "search"), call(5, "b llm", "search")],
    );
    const decisions = buildDecisionFacts(given)?.decisions ?? [];
    expect(decisions.map(({ errorKind }) => errorKind > 0)).toEqual([true, false]);
    expect(decisions.map(({ isReaction }) => isReaction)).toEqual([false, false]);
  });
});

/** The definition in quadratic time. */
function plainErrors(given: DecidedTrace): { kinds: Uint32Array; messageKind: number } {
  const { tree, scopes, signed } = signTrace(given);
  const { spans, decisionPoints, events } = given;
  const parentOf = (index: number) => tree.parent[index] ?? -1;
  const isIn = (index: number, scope: number): boolean =>
    scope === -1 || (index !== -1 && (index === scope || isIn(parentOf(index), scope)));
  const decisionsIn = (index: number) => scopes.filter((scope) => isIn(scope, index));
  const isFailedRun = (index: number) =>
    index !== -1 && spans[index]?.status === "ERROR" && decisionsIn(index).length > 0;
  const rankOf = ({ type }: DecidedPoint) => (isReactionType(type) ? 2 : 0);
  const isBefore = (decision: DecidedPoint, at: number, rank: number) =>
    decision.timestamp < at || (decision.timestamp === at && rankOf(decision) <= rank);
  const isLater = (one: number, other: number) => {
    const [a, b] = [decisionPoints[one], decisionPoints[other]];
    if (!a || !b) return false;
    return (a.timestamp - b.timestamp || rankOf(a) - rankOf(b) || one - other) > 0;
  };
  const latest = (indexes: number[]) =>
    indexes.reduce<number | undefined>(
      (last, index) => (last === undefined || isLater(index, last) ? index : last),
      undefined,
    );

  interface Found {
    at: number;
    rank: number;
    order: number;
    inside: number;
    name: string;
    message: string | null;
    decision: number | undefined;
  }
  const found: Found[] = [];
  for (const [index, one] of spans.entries()) {
    if (one.status !== "ERROR" || decisionsIn(index).length > 0) continue;
    const rank = endOf(one) === one.startedAt ? 1 : 3;
    const made = decisionPoints.flatMap((decision, number) =>
      isBefore(decision, one.startedAt, rank) && isIn(parentOf(index), scopes[number] ?? -1) ? number : [],
    );
    const { startedAt: at, name, statusMessage: message } = one;
    found.push({ at, rank, order: index, inside: index, name, message, decision: latest(made) });
  }
  for (const [number, { type, name, timestamp: at, spanId }] of events.entries()) {
    const scope = tree.find(spanId);
    if (type !== "ERROR" || isFailedRun(scope)) continue;
    const made = decisionPoints.flatMap((decision, index) =>
      isBefore(decision, at, 1) && isIn(scope, scopes[index] ?? -1) ? index : [],
    );
    const order = spans.length + number;
    found.push({ at, rank: 1, order, inside: scope, name, message: null, decision: latest(made) });
  }
  found.sort((a, b) => a.at - b.at || a.rank - b.rank || a.order - b.order);
  const kinds = new Uint32Array(decisionPoints.length);
  const set = (decision: number | undefined, name: string, message: string | null) => {
    if (decision === undefined || kinds[decision]) return;
    const option = signed[decision]?.option ?? "";
    const replace = (text: string) => (option.length < 3 ? text : text.split(option).join("@"));
    kinds[decision] = errorFingerprint(replace(name), message === null ? null : replace(message));
  };
  for (const { decision, name, message } of found) set(decision, name, message);

  const failedRuns = spans.map((_, index) => index).filter(isFailedRun);
  const isWhole = (index: number) => decisionsIn(index).length === decisionPoints.length;
  for (const run of failedRuns) {
    const explains = (index: number) => index !== run && isIn(index, run);
    const isExplained =
      found.some(({ inside }) => isIn(inside, run)) || failedRuns.some((other) => explains(other));
    const inside = decisionPoints.flatMap((_, index) => (isIn(scopes[index] ?? -1, run) ? index : []));
    if (!isWhole(run) && !isExplained)
      set(latest(inside), spans[run]?.name ?? "", spans[run]?.statusMessage ?? null);
  }
  const whole = spans[failedRuns.filter(isWhole).find((run) => !isWholeAbove(run)) ?? -1];
  function isWholeAbove(run: number): boolean {
    const parent = parentOf(run);
    if (parent === -1) return false;
    return (isFailedRun(parent) && isWhole(parent)) || isWholeAbove(parent);
  }
  return { kinds, messageKind: whole ? errorFingerprint(whole.name, whole.statusMessage) : 0 };
}
